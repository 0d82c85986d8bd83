// Signatures of cards: JWS over the card in the form of RFC 8785 (section 8.4 of the specification).
import { FlattenedSign } from "jose";

import { canonicalJson } from "../../protocol/a2a/canonical-json.ts";
import { A2A_KEYS_PATH } from "../../protocol/a2a/routes.ts";
import type { A2aCard } from "../../protocol/a2a/wire.ts";
import type { AppContext } from "../app-env.ts";
import { publicOrigin } from "../requests/public-origin.ts";
import { cardKeys } from "./card-keys.ts";

/** The card with a signature of each key; as it is where the deployment has none. */
export async function signCard(context: AppContext, card: A2aCard): Promise<A2aCard> {
  const keys = await cardKeys(context.env);
  if (keys.length === 0) return card;
  const payload = new TextEncoder().encode(canonicalJson(card));
  const jku = `${publicOrigin(context)}${A2A_KEYS_PATH}`;
  const signatures = await Promise.all(
    keys.map(async ({ key, kid }) => {
      const header = { alg: "ES256", typ: "JOSE", kid, jku };
      const jws = await new FlattenedSign(payload).setProtectedHeader(header).sign(key);
      return { protected: jws.protected ?? "", signature: jws.signature };
    }),
  );
  return { ...card, signatures };
}
