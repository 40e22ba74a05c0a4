//! The additions that makers of requests pass on to them unchanged.

use super::PermissionRequest;
use super::preview::PreviewSource;
use crate::ticket::TrustOption;

/// The texts and options of a request for people, set before the request is made.
#[derive(Debug, Clone, Default)]
pub(super) struct Additions {
    pub(super) preview: Option<PreviewSource>,
    pub(super) trust: Vec<TrustOption>,
}

impl Additions {
    pub(super) fn add_to(self, mut request: PermissionRequest) -> PermissionRequest {
        request.preview = self.preview;
        request.trust = self.trust;
        request
    }
}

/// The methods of [`PermissionRequest`] for people, on something with a field `additions`.
macro_rules! takes_additions {
    ($access:ident) => {
        impl $access {
            /// Shows something to the person who is asked. It is not judged.
            pub fn with_preview(mut self, preview: $crate::permission::RequestPreview) -> Self {
                self.additions.preview = Some($crate::permission::preview::PreviewSource::Ready(
                    Box::new(preview),
                ));
                self
            }

            /// Shows something to the person who is asked, made only when somebody is: see
            /// [`PermissionRequest::with_preview_by`].
            pub fn with_preview_by(
                mut self,
                make: impl Fn() -> $crate::permission::RequestPreview + Send + Sync + 'static,
            ) -> Self {
                self.additions.preview = Some($crate::permission::preview::PreviewSource::Later(
                    std::sync::Arc::new(make),
                ));
                self
            }

            /// Offers to decide once for more than this call: see
            /// [`PermissionRequest::with_trust_option`].
            pub fn with_trust_option(mut self, option: $crate::ticket::TrustOption) -> Self {
                self.additions.trust.push(option);
                self
            }
        }
    };
}

pub(super) use takes_additions;
