//! Records of calls: the port that writes them, and the port that answers calls from them.
//!
//! A [`CallRecorder`] records each call of an executor
//! ([`ExecutorBuilder::call_recorder`](crate::ExecutorBuilder::call_recorder)). A [`CallSource`] decides where the
//! results of a session come from: from its tools, or from a record
//! ([`SessionOptions::call_source`](crate::executor::SessionOptions::call_source)). The crate `toolwright-journal`
//! has one of each: a journal whose records are chained by hashes, and its replay.

mod recorder;
mod source;

pub use crate::util::store_error::StoreError;
pub use recorder::{
    CallProgress, CallRecorder, CallRecording, CallRequest, CallResponse, RequestInput,
    ResponseHash,
};
pub use source::{
    CallSource, RecordedEnvironment, RepeatedRun, SourceDecision, SourcedAnswer, SourcedCall,
};
