import {
  baseUrlOf,
  isRemoteModel,
  type ModelDefinition,
  type RemoteModelDefinition,
} from "../../protocol/models/contract.ts";
import { MAX_CALL_TOKENS } from "../../protocol/models/limits.ts";
import { MODEL_PRESETS, type ModelPreset } from "./model-presets.ts";

/** Hosts of the vendors themselves: another endpoint may give a model of the same name less. */
const VENDOR_HOSTS: Readonly<Record<ModelPreset["provider"], string>> = {
  openai: "api.openai.com",
  anthropic: "api.anthropic.com",
};

/** Whether requests go to the vendor itself. */
export function isVendorServed(definition: RemoteModelDefinition): boolean {
  return new URL(baseUrlOf(definition)).host === VENDOR_HOSTS[definition.provider];
}

/** The preset of a model that its vendor serves itself; null for any other. */
export function findPreset(definition: ModelDefinition): ModelPreset | null {
  if (!isRemoteModel(definition) || !isVendorServed(definition)) return null;
  const { provider, name } = definition;
  return (
    MODEL_PRESETS.find((preset) => preset.provider === provider && preset.names.includes(name)) ??
    null
  );
}

/**
 * Tokens that the model can read at once: as the definition says, else as the vendor does; null when neither does. An agent
 * of another system is sent what is new alone, so that its conversation never becomes too long here.
 */
export function contextSizeOf(definition: ModelDefinition): number | null {
  if (definition.provider === "a2a") return MAX_CALL_TOKENS;
  return definition.context_size ?? findPreset(definition)?.context_size ?? null;
}
