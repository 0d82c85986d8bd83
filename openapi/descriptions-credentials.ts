// What the document says about credentials and the places that name them.

export const CREDENTIAL_FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  "HttpTool.headers":
    "Sent with each request. Names that are meant for secrets are refused; an older agent's are shown as `[redacted]`.",
  "HttpTool.secret_headers":
    "Credentials by the name of the header that each secret is sent in, as it is.",
  "HttpTool.signing_credential_id": "The credential whose secret signs the requests.",
};
