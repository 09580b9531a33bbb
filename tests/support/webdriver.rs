//! A small client of the W3C WebDriver protocol, as much of it as the tests of the window need.
//! <https://www.w3.org/TR/webdriver2/>

use serde_json::{Value, json};
use std::time::Duration;

/// A session with the program under test.
#[derive(Debug)]
pub struct Session {
    agent: ureq::Agent,
    /// `http://127.0.0.1:PORT/session/ID`.
    base: String,
}

/// An element of the page; it is stale as soon as the page draws it anew.
#[derive(Debug, Clone)]
pub struct Element(String);

/// What the protocol calls an element's reference.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// No single call takes longer; starting the program is the longest.
const PATIENCE: Duration = Duration::from_secs(60);

impl Session {
    /// Starts the program at `binary` through the driver at `http://127.0.0.1:PORT`.
    ///
    /// # Errors
    /// What the driver says when it does not start, or that it does not answer.
    pub fn start(driver: &str, binary: &str, arguments: &[String]) -> Result<Self, String> {
        let agent: ureq::Agent = ureq::Agent::config_builder()
            .timeout_global(Some(PATIENCE))
            .http_status_as_error(false)
            .build()
            .into();
        let wanted = json!({"capabilities": {"alwaysMatch": {
            "browserName": "wry",
            "webkitgtk:browserOptions": {"binary": binary, "args": arguments},
        }}});
        let value = send(&agent, "POST", &format!("{driver}/session"), Some(&wanted))?;
        let id = value["sessionId"].as_str().ok_or_else(|| format!("no session: {value}"))?;
        let session = Self { agent, base: format!("{driver}/session/{id}") };
        session.post("timeouts", &json!({"script": 50_000, "pageLoad": 50_000, "implicit": 0}))?;
        Ok(session)
    }

    /// Closes the window, which ends the program.
    ///
    /// # Errors
    /// When the driver does not answer or the session is gone.
    pub fn close(&self) -> Result<(), String> {
        send(&self.agent, "DELETE", &self.base, None).map(drop)
    }

    /// All elements that a CSS selector names.
    ///
    /// # Errors
    /// What the driver says.
    pub fn find_all(&self, css: &str) -> Result<Vec<Element>, String> {
        let found = self.post("elements", &json!({"using": "css selector", "value": css}))?;
        let found = found.as_array().map(Vec::as_slice).unwrap_or_default();
        Ok(found.iter().filter_map(|one| one[ELEMENT].as_str()).map(|id| Element(id.to_owned())).collect())
    }

    /// A click where a person would click: it fails when something else covers the element.
    ///
    /// # Errors
    /// What the driver says.
    pub fn click(&self, element: &Element) -> Result<(), String> {
        self.post(&format!("element/{}/click", element.0), &json!({})).map(drop)
    }

    /// Types into an element; keys that are no characters are the private code points of the protocol.
    ///
    /// # Errors
    /// What the driver says.
    pub fn type_into(&self, element: &Element, text: &str) -> Result<(), String> {
        self.post(&format!("element/{}/value", element.0), &json!({"text": text})).map(drop)
    }

    /// The text that a person sees.
    ///
    /// # Errors
    /// What the driver says.
    pub fn text(&self, element: &Element) -> Result<String, String> {
        let value = send(&self.agent, "GET", &format!("{}/element/{}/text", self.base, element.0), None)?;
        Ok(value.as_str().unwrap_or_default().to_owned())
    }

    /// Presses and releases keys one after the other, those of `held` kept down meanwhile.
    ///
    /// # Errors
    /// What the driver says.
    pub fn keys(&self, held: &[char], keys: &str) -> Result<(), String> {
        let act = |kind: &str, key: char| json!({"type": kind, "value": key.to_string()});
        let mut actions: Vec<Value> = held.iter().map(|key| act("keyDown", *key)).collect();
        for key in keys.chars() {
            actions.push(act("keyDown", key));
            actions.push(act("keyUp", key));
        }
        actions.extend(held.iter().rev().map(|key| act("keyUp", *key)));
        self.post("actions", &json!({"actions": [{"type": "key", "id": "keyboard", "actions": actions}]}))
            .map(drop)
    }

    /// Runs the body of a function in the page and gives what it returns.
    ///
    /// # Errors
    /// What the driver says, an exception of the script included.
    pub fn script(&self, body: &str, arguments: &[Value]) -> Result<Value, String> {
        self.post("execute/sync", &json!({"script": body, "args": arguments}))
    }

    /// As `script`; the last argument of the function is to be called with the result.
    ///
    /// # Errors
    /// What the driver says, an exception of the script included.
    pub fn script_async(&self, body: &str, arguments: &[Value]) -> Result<Value, String> {
        self.post("execute/async", &json!({"script": body, "args": arguments}))
    }

    /// The window's content as a PNG file.
    ///
    /// # Errors
    /// What the driver says.
    pub fn screenshot(&self) -> Result<Vec<u8>, String> {
        use base64::Engine as _;
        let value = send(&self.agent, "GET", &format!("{}/screenshot", self.base), None)?;
        let text = value.as_str().unwrap_or_default();
        base64::engine::general_purpose::STANDARD.decode(text).map_err(|error| error.to_string())
    }

    /// Size of the window on its screen, in pixels.
    ///
    /// # Errors
    /// What the driver says.
    pub fn resize(&self, width: u32, height: u32) -> Result<(), String> {
        self.post("window/rect", &json!({"x": 0, "y": 0, "width": width, "height": height})).map(drop)
    }

    fn post(&self, command: &str, body: &Value) -> Result<Value, String> {
        send(&self.agent, "POST", &format!("{}/{command}", self.base), Some(body))
    }
}

/// One call; the `value` of the answer, or the message of its error.
fn send(agent: &ureq::Agent, method: &str, url: &str, body: Option<&Value>) -> Result<Value, String> {
    let failed = |error: ureq::Error| format!("{method} {url}: {error}");
    let mut response = match (method, body) {
        ("POST", Some(body)) => agent.post(url).send_json(body).map_err(failed)?,
        ("DELETE", _) => agent.delete(url).call().map_err(failed)?,
        _ => agent.get(url).call().map_err(failed)?,
    };
    // A screenshot of a large window takes several megabytes.
    let text = response.body_mut().with_config().limit(64 << 20).read_to_string().map_err(failed)?;
    let mut answer: Value = serde_json::from_str(&text).map_err(|error| format!("{url}: {error}: {text}"))?;
    let value = answer["value"].take();
    match value["error"].as_str() {
        Some(code) => Err(format!("{code}: {}", value["message"].as_str().unwrap_or_default())),
        None => Ok(value),
    }
}
