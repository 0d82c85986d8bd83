// The security of a card. 0.3 has the objects of OpenAPI, told apart by `type`; 1.0 has a member for each kind.
import { MAX_CARD_LIST } from "../../protocol/a2a/remote-limits.ts";
import type { A2aSecurityRequirement, A2aSecurityScheme } from "../../protocol/a2a/wire.ts";
import { isJsonObject, type JsonObject } from "../../protocol/json-object.ts";

export function readSchemes(value: unknown): Readonly<Record<string, A2aSecurityScheme>> {
  if (!isJsonObject(value)) return {};
  const read = Object.entries(value)
    .slice(0, MAX_CARD_LIST)
    .flatMap(([name, one]) => {
      const scheme = isJsonObject(one) ? readScheme(one) : null;
      return scheme ? [[name, scheme] as const] : [];
    });
  return Object.fromEntries(read);
}

/** All of one entry are needed, any entry is enough. 1.0 wraps what 0.3 and registries have as it is. */
export function readRequirements(value: unknown): readonly A2aSecurityRequirement[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, MAX_CARD_LIST).flatMap((one: unknown) => {
    if (!isJsonObject(one)) return [];
    const named = isJsonObject(one["schemes"]) ? one["schemes"] : one;
    const schemes = Object.entries(named).map(([name, scopes]) => [
      name,
      { list: scopesOf(scopes) },
    ]);
    return [{ schemes: Object.fromEntries(schemes) as A2aSecurityRequirement["schemes"] }];
  });
}

function readScheme(value: JsonObject): A2aSecurityScheme | null {
  const { type } = value;
  const inner = (name: string): JsonObject | null => {
    const found = value[name];
    return isJsonObject(found) ? found : null;
  };
  const key = inner("apiKeySecurityScheme") ?? (type === "apiKey" ? value : null);
  if (key) {
    const location = key["location"] ?? key["in"];
    const { name } = key;
    return typeof location === "string" && typeof name === "string"
      ? { apiKeySecurityScheme: { location, name } }
      : null;
  }
  const http = inner("httpAuthSecurityScheme") ?? (type === "http" ? value : null);
  if (http) {
    const { scheme } = http;
    return typeof scheme === "string" ? { httpAuthSecurityScheme: { scheme } } : null;
  }
  const oauth2 = inner("oauth2SecurityScheme") ?? (type === "oauth2" ? value : null);
  if (oauth2) return { oauth2SecurityScheme: { flows: readFlows(oauth2["flows"]) } };
  const openId = inner("openIdConnectSecurityScheme") ?? (type === "openIdConnect" ? value : null);
  if (openId) {
    const { openIdConnectUrl } = openId;
    return typeof openIdConnectUrl === "string"
      ? { openIdConnectSecurityScheme: { openIdConnectUrl } }
      : null;
  }
  const isMutual = inner("mtlsSecurityScheme") !== null || type === "mutualTLS";
  return isMutual ? { mtlsSecurityScheme: {} } : null;
}

/** That of client credentials alone: in the others a person signs in. */
function readFlows(
  value: unknown,
): NonNullable<A2aSecurityScheme["oauth2SecurityScheme"]>["flows"] {
  const flow = isJsonObject(value) ? value["clientCredentials"] : null;
  if (!isJsonObject(flow) || typeof flow["tokenUrl"] !== "string") return {};
  const named = isJsonObject(flow["scopes"]) ? flow["scopes"] : {};
  const scopes = Object.keys(named).map((scope) => [scope, ""]);
  return {
    clientCredentials: {
      tokenUrl: flow["tokenUrl"],
      scopes: Object.fromEntries(scopes) as Readonly<Record<string, string>>,
    },
  };
}

function scopesOf(value: unknown): readonly string[] {
  const list = isJsonObject(value) ? value["list"] : value;
  return Array.isArray(list) ? list.filter((one) => typeof one === "string") : [];
}
