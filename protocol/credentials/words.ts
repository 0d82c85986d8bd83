// Words of fields that the schemas of this room have.
export const CREDENTIAL_WORDS = {
  credential_id: "The credential whose secret is sent as `Authorization: Bearer`.",
  "Credential.allowed_hosts":
    "Where it may be sent: `api.example.com`, `*.example.com` for the names below it, `localhost:8080`. Null for a credential from before hosts were required, which may be sent to any host until it gets some.",
  "Credential.secret": "Printable ASCII without spaces at its ends. No answer ever holds it.",
  "Credential.type": "What the secret is for: it is never sent to the other kind.",
  "Credential.updated_at": "When it was last changed.",
  "Credential.version": "Counts from 1; a new secret and a change of the hosts each add one.",
} as const;
