import { baseUrlOf, type ModelDefinition } from "../../protocol/api/models.ts";
import { MODEL_PRESETS, type ModelPreset } from "./model-presets.ts";

/** Where the vendors themselves serve these models: another endpoint may give one of the same name less. */
const VENDOR_HOSTS: Readonly<Record<ModelPreset["provider"], string>> = {
  openai: "api.openai.com",
  anthropic: "api.anthropic.com",
};

/** What the vendor says of a model that it serves itself; null for any other. */
export function findPreset(definition: ModelDefinition): ModelPreset | null {
  if (definition.provider === "scripted") return null;
  const { provider, name } = definition;
  if (new URL(baseUrlOf(definition)).host !== VENDOR_HOSTS[provider]) return null;
  return (
    MODEL_PRESETS.find((preset) => preset.provider === provider && preset.names.includes(name)) ??
    null
  );
}

/** Tokens that the model can read at once: as the definition says, else as the vendor does; null when neither does. */
export function contextSizeOf(definition: ModelDefinition): number | null {
  return definition.context_size ?? findPreset(definition)?.context_size ?? null;
}
