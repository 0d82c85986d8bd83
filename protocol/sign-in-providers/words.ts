// Words of fields that the schemas of this room have.
export const SIGN_IN_PROVIDER_WORDS = {
  "SignInProvider.client_id": "The console's client at the provider.",
  "SignInProvider.created_by": "The API key or the member that registered it.",
  "SignInProvider.credential_id":
    "The credential of type `tool` with the client's secret, bound to the host of the provider's token endpoint; null for a client without a secret.",
  "SignInProvider.issuer":
    "The provider: its configuration is at `{issuer}/.well-known/openid-configuration`, and its ID tokens have it as `iss`.",
  "SignInProvider.member_count":
    "Members who sign in by it. When it is deleted, they need a new link.",
  "SignInProvider.name": "What the button on the sign-in page says, behind “Continue with”.",
  "SignInProvider.redirect_url": "The address to register at the provider for the way back.",
  "OperatorSignInProvider.client_id": "The console's client at the provider.",
  "OperatorSignInProvider.client_secret":
    "The client's secret; left out for a client without one. It is kept encrypted, never shown, sent to the host of the provider's token endpoint alone, and deleted with the provider.",
  "OperatorSignInProvider.created_by":
    "The person that registered it, or `operator` for the operator's key.",
  "OperatorSignInProvider.has_client_secret": "Whether it was registered with a client's secret.",
  "OperatorSignInProvider.issuer":
    "The provider: its configuration is at `{issuer}/.well-known/openid-configuration`, and its ID tokens have it as `iss`.",
  "OperatorSignInProvider.member_count":
    "People who sign in by it. When it is deleted, they need a new link.",
  "OperatorSignInProvider.name":
    "What the button on the sign-in page says, behind “Continue with”.",
  "OperatorSignInProvider.redirect_url":
    "The address to register at the provider for the way back.",
} as const;
