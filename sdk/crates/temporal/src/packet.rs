//! Calls and results on their way: in the history of a workflow, or in a content store.

#![allow(
    unreachable_pub,
    reason = "the expansions of Temporal's macros name this packet in public items"
)]

use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use toolwright::content::ContentHash;
use toolwright::ticket::StoreError;
use toolwright_journal::ContentStore;

/// The largest JSON that stands in a history where there is a content store, in bytes.
pub(crate) const INLINE_WITH_STORE: usize = 256 * 1024;

/// The largest JSON that stands in a history without a content store, in bytes: half of the 2 MiB that a server takes by
/// default, so that an envelope around it never counts.
pub(crate) const INLINE: usize = 1024 * 1024;

/// A value as JSON, or the place of its JSON.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Packet {
    /// The JSON itself.
    Inline(Box<RawValue>),
    /// The hash of the JSON, which is in the content store.
    Stored(ContentHash),
}

/// The store of large packets, if there is one.
#[derive(Clone, Default)]
pub(crate) struct PacketStore(pub(crate) Option<Arc<dyn ContentStore>>);

/// The reason why a value cannot be packed or unpacked.
#[derive(thiserror::Error)]
pub(crate) enum PacketError {
    #[error("the JSON of it cannot be read or written")]
    Json(#[from] serde_json::Error),
    #[error("it has {bytes} bytes, and the largest without a content store has {INLINE}")]
    TooLarge { bytes: usize },
    #[error(
        "its content is in a store, and there is none here: give both sides the same `contents`"
    )]
    NoStore,
    #[error("its content is not in the store, or is not what its hash says")]
    Missing,
    #[error("the content store cannot be reached")]
    Store(#[from] StoreError),
}

toolwright::text::debug_as_text!(PacketError);

impl PacketStore {
    pub(crate) async fn pack<T: Serialize + ?Sized>(
        &self,
        value: &T,
    ) -> Result<Packet, PacketError> {
        let json = to_raw_value(value)?;
        let bytes = json.get().len();
        match &self.0 {
            None if bytes > INLINE => Err(PacketError::TooLarge { bytes }),
            Some(store) if bytes > INLINE_WITH_STORE => {
                let hash = ContentHash::of(json.get());
                store.put(hash, json.get().as_bytes()).await?;
                Ok(Packet::Stored(hash))
            }
            _ => Ok(Packet::Inline(json)),
        }
    }

    pub(crate) async fn unpack<T: DeserializeOwned>(
        &self,
        packet: &Packet,
    ) -> Result<T, PacketError> {
        match packet {
            Packet::Inline(json) => Ok(serde_json::from_str(json.get())?),
            Packet::Stored(hash) => {
                let store = self.0.as_ref().ok_or(PacketError::NoStore)?;
                let bytes = store.get(*hash).await?;
                let bytes = bytes.filter(|bytes| ContentHash::of(bytes) == *hash);
                Ok(serde_json::from_slice(&bytes.ok_or(PacketError::Missing)?)?)
            }
        }
    }
}
