import type { McpOAuth } from "../../../sdk/index.ts";
import { ownerWords } from "./oauth-words.ts";

/** OAuth settings of a server, as lines of its facts. */
export function OAuthFacts({ oauth }: { readonly oauth: McpOAuth }) {
  const { issuer, client_id, scope, opener_origins } = oauth;
  const facts = [
    ["Signs in with", ownerWords(oauth)],
    ["Authorization server", issuer ?? "the one that the server names"],
    ["Client", client_id ?? "registered by the platform"],
    ["Scope", scope ?? "as the server asks for"],
    ["Codes go to", opener_origins?.join(", ") ?? "nobody; they are shown"],
  ] as const;
  const isByPerson = oauth.grant === "authorization_code";
  return facts
    .filter(([name]) => isByPerson || name !== "Codes go to")
    .map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd className="plain-text">{value}</dd>
      </div>
    ));
}
