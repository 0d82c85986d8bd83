// The scenarios of MCP's conformance suite for clients: those that the platform passes as the client of other servers,
// and those that it cannot be asked for, with the reason.
import type { Excluded, Runs } from "./scenario-lists.ts";

/** Scenarios that pass, by name. */
export const CLIENT_RUNS: Runs = {
  initialize: {},
  tools_call: {},
  "sse-retry": {},
  "elicitation-sep1034-client-defaults": {},
  "request-metadata": {},
  "http-standard-headers": {},
  "http-custom-headers": {},
  "http-invalid-tool-headers": {},
  "json-schema-ref-no-deref": {},
  "json-schema-2020-12-preservation": {},
  "sep-2322-client-request-state": {},
  "auth/metadata-default": {},
  "auth/metadata-var1": {},
  "auth/metadata-var2": {},
  "auth/metadata-var3": {},
  "auth/scope-from-www-authenticate": {},
  "auth/scope-from-scopes-supported": {},
  "auth/scope-omitted-when-undefined": {},
  "auth/scope-step-up": {},
  "auth/scope-retry-limit": {},
  "auth/token-endpoint-auth-basic": {},
  "auth/token-endpoint-auth-post": {},
  "auth/token-endpoint-auth-none": {},
  "auth/pre-registration": {},
  "auth/2025-03-26-oauth-metadata-backcompat": {},
  "auth/resource-mismatch": {},
  "auth/offline-access-scope": {},
  "auth/offline-access-not-supported": {},
  "auth/authorization-server-migration": {},
  "auth/iss-supported": {},
  "auth/iss-not-advertised": {},
  "auth/iss-supported-missing": {},
  "auth/iss-wrong-issuer": {},
  "auth/iss-unexpected": {},
  "auth/iss-normalized": {},
  "auth/metadata-issuer-mismatch": {},
  "auth/client-credentials-basic": {},
};

export const CLIENT_EXCLUDED: readonly Excluded[] = [
  {
    reason:
      "It wants a client id that is the address of a document; the platform publishes none, and registers a client",
    scenarios: ["auth/basic-cimd"],
  },
  {
    reason:
      "Without metadata nothing says that the server checks PKCE with S256, which the platform demands, as MCP does since 2025-11-25",
    scenarios: ["auth/2025-03-26-oauth-endpoint-fallback"],
  },
  {
    reason:
      "They want a key of the client's own for its sign-in: a signed assertion, DPoP, the identity of a workload or of an enterprise",
    scenarios: [
      "auth/client-credentials-jwt",
      "auth/enterprise-managed-authorization",
      "auth/dpop",
      "auth/dpop-nonce",
      "auth/wif-jwt-bearer",
    ],
  },
  {
    reason: "The platform reads no skills of MCP servers",
    scenarios: [
      "sep-2640-client-no-prefetch",
      "sep-2640-client-verify-digest",
      "sep-2640-client-verify-size",
      "sep-2640-client-verify-frontmatter",
    ],
  },
];
