//! STUB.
/// stub
#[derive(Debug)]
pub struct Detector;
/// stub
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct DetectorError(String);
impl Detector {
    /// stub
    pub fn standard() -> &'static Detector {
        &Detector
    }
    /// stub
    pub fn with_options(off: &[String], own: &[(String, String)], _trusted: &[String]) -> Result<Detector, DetectorError> {
        if let Some(name) = off.iter().find(|n| *n != "role_tag") {
            return Err(DetectorError(format!("no pattern is named `{name}`")));
        }
        for (name, pattern) in own {
            regex::Regex::new(pattern).map_err(|_| DetectorError(format!("pattern `{name}` is no regular expression")))?;
        }
        Ok(Detector)
    }
}
