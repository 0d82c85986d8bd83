// Cards of agents, and the public keys by which their signatures are verified.
import { canonicalJson } from "../../protocol/a2a/canonical-json.ts";
import { A2A_CARD_MAX_AGE_SECONDS, A2A_KEYS_MAX_AGE_SECONDS } from "../../protocol/a2a/limits.ts";
import { makeCard } from "../../protocol/a2a/make-card.ts";
import { findPublicCard } from "../../storage/agents/find-public-card.ts";
import type { AppContext, RouteHandler } from "../app-env.ts";
import { unauthenticated } from "../auth/unauthenticated.ts";
import { pathId } from "../middleware/check-path.ts";
import { isKnownTag, withEtag } from "../requests/public-document.ts";
import { checkPage, findServedAgent } from "./a2a-call.ts";
import { toCardAgent, type CardAgent } from "./card-agent.ts";
import { cardKeys } from "./card-keys.ts";
import { signCard } from "./sign-card.ts";

/**
 * Two signatures of one card differ, so that the ETag is of what they sign and of the keys. Without a credential an agent whose
 * card is not public, one that is no server of A2A, and one that never was are the same: a credential is asked for.
 */
const readA2aCard: RouteHandler = async (context) => {
  const isPublic = context.get("principal").kind === "public";
  const card = makeCard(await (isPublic ? findShown(context) : findOwn(context)));
  const keys = await cardKeys(context.env);
  const signed = [canonicalJson(card), ...keys.map(({ kid }) => kid)].join("\n");
  const { ETag: tag } = (await withEtag(signed)).headers;
  const headers = {
    "Cache-Control": `${isPublic ? "public" : "private"}, max-age=${A2A_CARD_MAX_AGE_SECONDS}`,
    // Weak, since the bytes differ.
    ETag: `W/${tag}`,
    Vary: "Authorization",
  };
  if (isKnownTag(context.req.header("If-None-Match"), tag)) {
    return new Response(null, { status: 304, headers });
  }
  return Response.json(await signCard(context, card), { headers });
};

async function findOwn(context: AppContext): Promise<CardAgent> {
  checkPage(context);
  return toCardAgent(context, await findServedAgent(context));
}

async function findShown(context: AppContext): Promise<CardAgent> {
  const agentId = pathId(context, "agent_id");
  const found = await findPublicCard(context.env.DB, agentId);
  if (!found) throw unauthenticated("send the header `Authorization: Bearer <API key>`");
  return toCardAgent(context, { id: agentId, ...found });
}

/** A JWK set. */
const readA2aKeys: RouteHandler = async (context) => {
  const keys = await cardKeys(context.env);
  return Response.json(
    { keys: keys.map(({ public_jwk }) => public_jwk) },
    { headers: { "Cache-Control": `public, max-age=${A2A_KEYS_MAX_AGE_SECONDS}` } },
  );
};

export const a2aCardRoutes = { readA2aCard, findA2aCard: readA2aCard, readA2aKeys };
