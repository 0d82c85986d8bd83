import {
  baseUrlOf,
  type ModelDefinition,
  type RemoteModelDefinition,
} from "../../protocol/models/contract.ts";
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
  if (definition.provider === "scripted" || !isVendorServed(definition)) return null;
  const { provider, name } = definition;
  return (
    MODEL_PRESETS.find((preset) => preset.provider === provider && preset.names.includes(name)) ??
    null
  );
}

/** Tokens that the model can read at once: as the definition says, else as the vendor does; null when neither does. */
export function contextSizeOf(definition: ModelDefinition): number | null {
  return definition.context_size ?? findPreset(definition)?.context_size ?? null;
}
