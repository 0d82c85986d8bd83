// Reads a card of A2A 1.0 or 0.3, of whatever shape, into the one that the client uses. What a card says wrongly is left
// out where the agent can be reached without it.
import { A2A_EXTENSION } from "../../protocol/a2a/extension.ts";
import type { A2aCapabilities, A2aExtension, A2aSkill } from "../../protocol/a2a/wire.ts";
import { MAX_CARD_LIST, MAX_CARD_TEXT_CHARACTERS } from "../../protocol/a2a/remote-limits.ts";
import { isJsonObject, type JsonObject } from "../../protocol/json-object.ts";
import { readRequirements, readSchemes } from "./read-schemes.ts";
import type { ResolvedCard, ResolvedInterface, SpokenVersion } from "./resolved-card.ts";

export type CardRead =
  | { readonly ok: true; readonly card: ResolvedCard }
  /** The rest of a sentence about the card. */
  | { readonly ok: false; readonly reason: string };

/** @param origin That of the address that the card was got from; null for one of the definition or the deployment. */
export function readCard(value: unknown, origin: string | null): CardRead {
  if (!isJsonObject(value)) return { ok: false, reason: "is no JSON object" };
  const [first, ...others] = readInterfaces(value);
  if (!first) {
    const reason = "names no address with JSONRPC or HTTP+JSON in version 1.0, or JSONRPC in 0.3";
    return { ok: false, reason };
  }
  const name = textOf(value["name"]);
  if (name === "") return { ok: false, reason: "has no name" };
  const capabilities = readCapabilities(value);
  const strange = capabilities.extensions?.find(
    ({ uri, required }) => required === true && uri !== A2A_EXTENSION,
  );
  if (strange) {
    const uri = JSON.stringify(textOf(strange.uri));
    return { ok: false, reason: `requires the extension ${uri}, which is not spoken here` };
  }
  return {
    ok: true,
    card: {
      name,
      description: textOf(value["description"]),
      version: textOf(value["version"]),
      interfaces: [first, ...others],
      capabilities,
      skills: listOf(value["skills"]).flatMap(readSkill),
      securitySchemes: readSchemes(value["securitySchemes"]),
      securityRequirements: [
        ...readRequirements(value["securityRequirements"]),
        ...readRequirements(value["security"]),
      ],
      protocolVersion: first.version,
      origin,
    },
  };
}

/** Interfaces of 1.0 in their order; a card without them has the address of 0.3 at its top, and further ones. */
function readInterfaces(card: JsonObject): readonly ResolvedInterface[] {
  const listed = listOf(card["supportedInterfaces"]).flatMap((one) => readInterface(one, null));
  if (listed.length > 0) return listed;
  const said = typeof card["protocolVersion"] === "string" ? card["protocolVersion"] : "0.3";
  const top = { url: card["url"], transport: card["preferredTransport"] ?? "JSONRPC" };
  const further = listOf(card["additionalInterfaces"]);
  const all = [top, ...further].flatMap((one) => readInterface(one, said));
  return all.filter(({ url }, index) => all.findIndex((one) => one.url === url) === index);
}

/** @param version That of the whole card, where its interfaces have none: 0.3, and what came before it. */
function readInterface(value: unknown, version: string | null): readonly ResolvedInterface[] {
  if (!isJsonObject(value)) return [];
  const { url, tenant } = value;
  const binding = value["protocolBinding"] ?? value["transport"];
  const spoken = spokenVersion(value["protocolVersion"] ?? version ?? "1.0");
  if (!isAddress(url) || spoken === null) return [];
  const isSpoken = binding === "JSONRPC" || (binding === "HTTP+JSON" && spoken === "1.0");
  if (!isSpoken) return [];
  const isNamed = typeof tenant === "string" && tenant !== "";
  return [{ url, binding, version: spoken, ...(isNamed && { tenant }) }];
}

/** 0.2.x differs from 0.3 in nothing that a client of JSON-RPC sends. Patch versions do not count. */
function spokenVersion(version: unknown): SpokenVersion | null {
  if (typeof version !== "string") return null;
  if (/^1(?:\.0)?(?:\.\d+)?$/.test(version)) return "1.0";
  return /^0\.[23](?:\.\d+)?$/.test(version) ? "0.3" : null;
}

function readCapabilities(card: JsonObject): A2aCapabilities {
  const said = isJsonObject(card["capabilities"]) ? card["capabilities"] : {};
  return {
    streaming: said["streaming"] === true,
    pushNotifications: said["pushNotifications"] === true,
    extendedAgentCard:
      said["extendedAgentCard"] === true || card["supportsAuthenticatedExtendedCard"] === true,
    extensions: listOf(said["extensions"]).flatMap(readExtension),
  };
}

function readExtension(value: unknown): readonly A2aExtension[] {
  if (!isJsonObject(value) || typeof value["uri"] !== "string") return [];
  return [{ uri: value["uri"], required: value["required"] === true }];
}

function readSkill(value: unknown): readonly A2aSkill[] {
  if (!isJsonObject(value)) return [];
  const texts = (list: unknown): readonly string[] =>
    listOf(list).filter((one) => typeof one === "string");
  const name = textOf(value["name"]);
  const id = textOf(value["id"]) || name;
  if (id === "") return [];
  const description = textOf(value["description"]);
  return [{ id, name: name || id, description, tags: texts(value["tags"]) }];
}

function isAddress(url: unknown): url is string {
  return typeof url === "string" && /^https?:\/\//i.test(url) && URL.canParse(url);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim().slice(0, MAX_CARD_TEXT_CHARACTERS) : "";
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, MAX_CARD_LIST) : [];
}
