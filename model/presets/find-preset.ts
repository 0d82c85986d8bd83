import {
  baseUrlOf,
  isRemoteModel,
  type ModelDefinition,
  type RemoteModelDefinition,
} from "../../protocol/models/contract.ts";
import { MAX_CALL_TOKENS } from "../../protocol/models/limits.ts";
import { MODEL_PRESETS } from "./model-presets.ts";
import type { ModelPreset } from "./preset.ts";

/** Hosts of the vendors whose wires these are. */
const VENDOR_HOSTS: Readonly<Record<ModelPreset["provider"], string>> = {
  openai: "api.openai.com",
  anthropic: "api.anthropic.com",
};

/** Names of snapshots: the model's with a day behind it. */
const DAY = /-(\d{4}-\d{2}-\d{2}|\d{8})$/;
/** Hosts where a name with a day is a snapshot of the model without one. */
const SNAPSHOT_HOSTS: readonly string[] = Object.values(VENDOR_HOSTS);
/** The part of a path behind which calls belong to a subscription, without prices of their own. */
const SUBSCRIPTION = "/coding/";

const BY_HOST_AND_NAME = new Map(
  MODEL_PRESETS.flatMap((preset) =>
    preset.hosts.flatMap((host) =>
      preset.names.map((name) => [keyOf(`https://${host}`, name), preset] as const),
    ),
  ),
);

/** Whether requests go to the vendor of the wire itself. */
export function isVendorServed(definition: RemoteModelDefinition): boolean {
  return new URL(baseUrlOf(definition)).host === VENDOR_HOSTS[definition.provider];
}

/** The preset of a model at its vendor's host; null for any other, and for look-alikes of hosts. */
export function findPreset(definition: ModelDefinition): ModelPreset | null {
  if (!isRemoteModel(definition)) return null;
  const { origin, host, pathname } = new URL(baseUrlOf(definition));
  const { name } = definition;
  const preset = BY_HOST_AND_NAME.get(keyOf(origin, name));
  if (preset) return pathname.includes(SUBSCRIPTION) ? withoutPrices(preset) : preset;
  if (!SNAPSHOT_HOSTS.includes(host)) return null;
  const dated = BY_HOST_AND_NAME.get(keyOf(origin, name.replace(DAY, "")));
  // Snapshots have had prices of their own.
  return dated ? withoutPrices(dated) : null;
}

function keyOf(origin: string, name: string): string {
  return `${origin} ${name}`;
}

function withoutPrices(preset: ModelPreset): ModelPreset {
  return { ...preset, prices: null };
}

/**
 * Tokens that the model can read at once: as the definition says, else as the vendor does; null when neither does. An agent
 * of another system is sent what is new alone, so that its conversation never becomes too long here.
 */
export function contextSizeOf(definition: ModelDefinition): number | null {
  if (definition.provider === "a2a") return MAX_CALL_TOKENS;
  return definition.context_size ?? findPreset(definition)?.context_size ?? null;
}
