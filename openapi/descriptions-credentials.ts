// What the document says about credentials and the places that name them.

export const CREDENTIAL_SCHEMA_DESCRIPTIONS: Readonly<Record<string, string>> = {
  Credential: "A secret for models or tools, without the secret.",
  CredentialUpdate: "What is left out stays as it is.",
};

export const CREDENTIAL_FIELD_DESCRIPTIONS: Readonly<Record<string, string>> = {
  credential_id: "The credential whose secret is sent as `Authorization: Bearer`.",

  "Credential.allowed_hosts":
    "Where it may be sent: `api.example.com`, `*.example.com` for the names below it, `localhost:8080`. Null for one from before this was asked for, which may be sent to any host until it gets some.",
  "Credential.secret": "Printable ASCII without spaces at its ends. No answer ever holds it.",
  "Credential.type": "What the secret is for: it is never sent to the other kind.",
  "Credential.updated_at": "When it was last changed.",
  "Credential.version": "Counts from 1; a new secret and a change of the hosts each add one.",

  "HttpTool.headers":
    "Sent with each request. Names that are meant for secrets are refused; an older agent's are shown as `[redacted]`.",
  "HttpTool.secret_headers":
    "Credentials by the name of the header that each secret is sent in, as it is.",
  "HttpTool.signing_credential_id": "The credential whose secret signs the requests.",
};
