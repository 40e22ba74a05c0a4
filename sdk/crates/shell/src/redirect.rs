//! Redirections: the files that the shell opens, and the texts that it hands over.

use brush_parser::ast::{IoFileRedirectKind, IoFileRedirectTarget, IoRedirect};

use super::expand;
use super::files::{Access, Redirect};
use super::unparsable::{Parsed, refused};
use super::walk::Walk;
use super::word::Word;

impl Walk {
    pub(super) fn redirect(&mut self, redirect: &IoRedirect) -> Parsed {
        match redirect {
            IoRedirect::File(_, kind, target) => match target {
                IoFileRedirectTarget::Filename(word) => {
                    let target = self.word(&word.value)?;
                    match kind {
                        IoFileRedirectKind::Read => self.opens(Access::Read, target),
                        IoFileRedirectKind::Write
                        | IoFileRedirectKind::Append
                        | IoFileRedirectKind::Clobber => self.opens(Access::Write, target),
                        IoFileRedirectKind::ReadAndWrite => {
                            self.opens(Access::Read, target.clone());
                            self.opens(Access::Write, target);
                        }
                        IoFileRedirectKind::DuplicateInput
                        | IoFileRedirectKind::DuplicateOutput => self.duplicates(kind, target),
                    }
                    Ok(())
                }
                IoFileRedirectTarget::Duplicate(word) => {
                    let target = self.word(&word.value)?;
                    self.duplicates(kind, target);
                    Ok(())
                }
                IoFileRedirectTarget::Fd(_) => Ok(()),
                IoFileRedirectTarget::ProcessSubstitution(_, list) => {
                    self.process(list).map(|_| ())
                }
            },
            IoRedirect::HereDocument(_, document) => {
                let text = &document.doc.value;
                let lifted = self.lifted.as_ref().and_then(|lifted| lifted.body(text));
                if let Some(body) = lifted.map(str::to_owned) {
                    self.documents.insert(text.clone());
                    if document.requires_expansion {
                        let expanded = expand::document(&body, None)?;
                        self.found(expanded)?;
                    }
                    return Ok(());
                }
                if !document.requires_expansion {
                    return Ok(());
                }
                if text.contains("\\\n") {
                    return refused(
                        "a here-document joins lines, and may end elsewhere than it seems",
                    );
                }
                let expanded = expand::document(text, self.lifted.as_ref())?;
                self.found(expanded)
            }
            IoRedirect::HereString(_, word) => self.word(&word.value).map(|_| ()),
            IoRedirect::OutputAndError(word, _) => {
                let target = self.word(&word.value)?;
                self.opens(Access::Write, target);
                Ok(())
            }
        }
    }

    /// `>&word`: a number or `-` names a descriptor, anything else a file.
    fn duplicates(&mut self, kind: &IoFileRedirectKind, target: Word) {
        let descriptor = target.known().is_some_and(|text| {
            let digits = text.strip_suffix('-').unwrap_or(text);
            digits.bytes().all(|byte| byte.is_ascii_digit())
        });
        if !descriptor {
            let access = match kind {
                IoFileRedirectKind::DuplicateInput | IoFileRedirectKind::Read => Access::Read,
                IoFileRedirectKind::Write
                | IoFileRedirectKind::Append
                | IoFileRedirectKind::ReadAndWrite
                | IoFileRedirectKind::Clobber
                | IoFileRedirectKind::DuplicateOutput => Access::Write,
            };
            self.opens(access, target);
        }
    }

    pub(super) fn opens(&mut self, access: Access, target: Word) {
        if target.known() != Some("/dev/null") {
            self.redirects.push(Redirect {
                access,
                target,
                directory: self.directory.clone(),
            });
        }
    }
}
