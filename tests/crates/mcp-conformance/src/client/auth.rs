//! Scenarios whose server wants an authorization: `rmcp` has OAuth, and an import takes any transport of it.

use std::collections::BTreeSet;
use std::error::Error;
use std::future::ready;

use reqwest::redirect::Policy;
use serde_json::Value;
use toolwright_mcp::client::{Connect, ImportError, ImportFault, connect_fn};
use toolwright_mcp::rmcp::ServiceError;
use toolwright_mcp::rmcp::transport::StreamableHttpClientTransport;
use toolwright_mcp::rmcp::transport::auth::{
    AuthClient, AuthorizationCallback, AuthorizationRequest, OAuthState, WWWAuthenticateParams,
};
use toolwright_mcp::rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;

use crate::Failure;

/// The number of authorizations after which a server that still refuses is given up.
const MOST_AUTHORIZATIONS: usize = 3;
const REDIRECT: &str = "http://localhost:3000/callback";
/// The address that the suite knows as that of a client's metadata.
const CLIENT_METADATA: &str = "https://conformance-test.local/client-metadata.json";

type Authorized = AuthClient<reqwest::Client>;

/// Calls the tools of a server, and gets an authorization each time that the server demands one.
pub(crate) async fn run(url: &str, scenario: &str, context: &Value) -> Result<(), Failure> {
    let mut client = None;
    let mut scopes = BTreeSet::new();
    for authorizations in 0..=MOST_AUTHORIZATIONS {
        let ended = match client.take() {
            Some(client) => crate::run(with(url, client), scenario, context).await,
            None => crate::run(crate::way(url), scenario, context).await,
        };
        let Err(failure) = ended else {
            return Ok(());
        };
        let Some(challenge) = challenge(&*failure) else {
            return Err(failure);
        };
        if authorizations == MOST_AUTHORIZATIONS {
            return Err(failure);
        }
        println!("authorization {}: {challenge}", authorizations + 1);
        let known: Vec<String> = scopes.iter().cloned().collect();
        let asked = WWWAuthenticateParams::parse(&challenge, &url.parse()?).scope;
        scopes.extend(
            asked
                .iter()
                .flat_map(|scope| scope.split(' '))
                .map(ToOwned::to_owned),
        );
        let mut request = AuthorizationRequest::new(REDIRECT)
            .with_client_name("toolwright")
            .with_client_metadata_url(CLIENT_METADATA)
            .with_challenge(challenge);
        // The first scopes are those that the server or its metadata names; later ones are added to them.
        if !known.is_empty() {
            request = request.with_scopes(&scopes);
        }
        if let Some(id) = context["client_id"].as_str() {
            request = request.with_preregistered_client(id);
        }
        if let Some(secret) = context["client_secret"].as_str() {
            request = request.with_client_secret(secret);
        }
        client = Some(authorize(url, request).await?);
    }
    Ok(())
}

/// The way to a server with an authorization.
fn with(url: &str, client: Authorized) -> impl Connect + use<> {
    let config = StreamableHttpClientTransportConfig::with_uri(url);
    connect_fn(move || {
        let transport = StreamableHttpClientTransport::with_client(client.clone(), config.clone());
        ready(Ok::<_, Failure>(transport))
    })
}

/// The demand of the server, if a failure comes from one.
fn challenge(failure: &(dyn Error + 'static)) -> Option<String> {
    let challenge = match failure.downcast_ref().map(ImportError::fault) {
        Some(ImportFault::Handshake(error)) => error.auth_challenge(),
        Some(ImportFault::List(error)) => error.auth_challenge(),
        _ => std::iter::successors(Some(failure), |error| (*error).source())
            .find_map(|error| error.downcast_ref().and_then(ServiceError::auth_challenge)),
    };
    challenge.map(ToOwned::to_owned)
}

/// Goes through an authorization, as a browser would whose user agrees.
async fn authorize(url: &str, request: AuthorizationRequest) -> Result<Authorized, Failure> {
    let mut state = OAuthState::new(url, None).await?;
    state.start_authorization(request).await?;
    let browser = reqwest::Client::builder()
        .redirect(Policy::none())
        .build()?;
    let page = browser
        .get(state.get_authorization_url().await?)
        .send()
        .await?;
    let location = page
        .headers()
        .get("location")
        .ok_or("the authorization leads nowhere")?;
    let callback = AuthorizationCallback::from_redirect_url(location.to_str()?)?;
    let issuer = callback.issuer.as_deref();
    state
        .handle_callback_with_issuer(&callback.code, &callback.csrf_token, issuer)
        .await?;
    let manager = state
        .into_authorization_manager()
        .ok_or("there is no authorization")?;
    Ok(AuthClient::new(reqwest::Client::new(), manager))
}
