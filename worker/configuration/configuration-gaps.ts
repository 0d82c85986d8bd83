// Secrets, variables and bindings that a deployment needs besides the code. Values are checked and never shown.
import { readNames } from "../../outgoing/special-names.ts";
import type { ConfigurationGap } from "../../protocol/operator/readiness.ts";
import { MIN_PEPPER_CHARACTERS } from "../../protocol/keys/limits.ts";
import { isMasterKey } from "../../storage/secrets/credential-cipher.ts";
import { readPublicUrl } from "../../storage/webhooks/read-public-url.ts";

const BINDINGS = {
  DB: "databases",
  SESSION: "durable-objects",
  TENANT: "durable-objects",
  SEARCH: "durable-objects",
  MEMORY: "durable-objects",
  TRIGGER: "durable-objects",
  WEBHOOK_QUEUE: "queues",
  REMOVAL_QUEUE: "queues",
  FILES: "files",
} as const;
const RATE_LIMITS = [
  "TENANT_LIMIT",
  "TENANT_LIMIT_1000",
  "TENANT_LIMIT_100",
  "TOKEN_LIMIT",
  "ADDRESS_LIMIT",
] as const;
const HOST_NAME = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/;

/** The secrets that are missing or malformed, those of a rotation included. */
export function secretGaps(env: Env): readonly ConfigurationGap[] {
  const needed = ["OPERATOR_KEY", "KEY_PEPPER", "MASTER_KEY"] as const;
  const missing = needed
    .filter((name) => !env[name])
    .map((name) => gapOfSecret(name, "is not set"));
  const rotated = needed.flatMap((name) => [
    name,
    `${name}_PREVIOUS` as const,
    `${name}_NEXT` as const,
  ]);
  const malformed = rotated.flatMap((name) => {
    const value = env[name];
    if (!value) return [];
    if (name.startsWith("MASTER_KEY")) {
      return isMasterKey(value) ? [] : [gapOfSecret(name, "is not 32 bytes in base64")];
    }
    if (value.length >= MIN_PEPPER_CHARACTERS) return [];
    return [gapOfSecret(name, `has fewer than ${MIN_PEPPER_CHARACTERS} characters`)];
  });
  return [...missing, ...malformed];
}

/** The variables of `[vars]` that are missing or malformed. */
export function variableGaps(env: Env): readonly ConfigurationGap[] {
  const fix = 'set it in [vars] of wrangler.toml, then run "npx wrangler deploy"';
  const docs = "/docs/deploy#variables";
  const gaps: ConfigurationGap[] = [];
  if (!env.ENVIRONMENT) gaps.push({ name: "ENVIRONMENT", problem: "is not set", fix, docs });
  if (readPublicUrl(env) === null && (env.PUBLIC_URL || env.ENVIRONMENT !== "local")) {
    const problem = env.PUBLIC_URL
      ? "is no `https://host`, with nothing behind the host"
      : "is not set: `https://` and the platform's own host";
    gaps.push({ name: "PUBLIC_URL", problem, fix, docs });
  }
  if (readNames(env.ALLOWED_SPECIAL_NAMES).some((name) => !HOST_NAME.test(name))) {
    const problem = "has an entry that is no host name, such as `corp` or `vault.internal`";
    gaps.push({ name: "ALLOWED_SPECIAL_NAMES", problem, fix, docs });
  }
  return gaps;
}

/** The bindings without which nothing works. */
export function bindingGaps(env: Partial<Env>): readonly ConfigurationGap[] {
  return Object.entries(BINDINGS).flatMap(([name, section]) =>
    env[name as keyof typeof BINDINGS] ? [] : [gapOfBinding(name, section)],
  );
}

/** The rate limits that are missing: without them no request is refused. */
export function rateLimitGaps(env: Env): readonly ConfigurationGap[] {
  return RATE_LIMITS.filter((name) => !env[name]).map((name) => gapOfBinding(name, "rate-limits"));
}

function gapOfSecret(name: string, problem: string): ConfigurationGap {
  return { name, problem, fix: `npx wrangler secret put ${name}`, docs: "/docs/deploy#secrets" };
}

function gapOfBinding(name: string, section: string): ConfigurationGap {
  return {
    name,
    problem: "is not bound",
    fix: 'restore its entry in wrangler.toml, then run "npx wrangler deploy"',
    docs: `/docs/deploy#${section}`,
  };
}
