import type { ConfigurationGap } from "../../protocol/operator/readiness.ts";
import { readCardKey } from "../../storage/secrets/card-key.ts";
import type { CardKeyBindings } from "../../storage/secrets/deployment-secrets.ts";

/** The key of cards for A2A: nothing else fails without it. */
export function cardKeyGaps(env: CardKeyBindings): readonly ConfigurationGap[] {
  if (!env.CARD_KEY) return [gap("CARD_KEY", "is not set")];
  const names = ["CARD_KEY", "CARD_KEY_PREVIOUS", "CARD_KEY_NEXT"] as const;
  return names.flatMap((name) => {
    const value = env[name];
    return !value || readCardKey(value) ? [] : [gap(name, "is not 32 bytes in base64")];
  });
}

function gap(name: string, problem: string): ConfigurationGap {
  return { name, problem, fix: `npx wrangler secret put ${name}`, docs: "/docs/deploy#secrets" };
}
