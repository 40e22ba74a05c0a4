//! Grants against requests.
