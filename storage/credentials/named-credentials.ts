import type { AgentDefinition } from "../../protocol/agents/contract.ts";
import type { HttpTool } from "../../protocol/tools/http-tool.ts";
import type { HookDefinition } from "../../protocol/hooks/contract.ts";
import { embeddingUrlOf, type EmbeddingDefinition } from "../../protocol/memory/contract.ts";
import { baseUrlOf, type ModelDefinition } from "../../protocol/models/contract.ts";
import type { CredentialType } from "../../protocol/credentials/contract.ts";
import { speechEndpointsOf, type VoiceSettings } from "../../protocol/voice/contract.ts";
import { remoteCredentials } from "./remote-credentials.ts";

/** A reference to a credential in an agent's definition. */
export interface NamedCredential {
  readonly id: string;
  readonly type: CredentialType;
  /** JSON Pointer (RFC 6901) in URI fragment form. */
  readonly pointer: string;
  /** URL of the model or tool that the credential is sent to; null where it is not in the definition. */
  readonly address: string | null;
}

type CredentialUsers = Partial<
  Pick<
    AgentDefinition,
    | "model"
    | "fallback_models"
    | "allowed_models"
    | "tools"
    | "context"
    | "hooks"
    | "memory"
    | "voice"
    | "code_agent"
  >
>;

/** All references, in the order of the definition. */
export function namedCredentials({
  model,
  fallback_models = [],
  allowed_models = [],
  tools = [],
  context: { compression_model } = {},
  hooks = [],
  memory,
  voice,
  code_agent,
}: CredentialUsers): readonly NamedCredential[] {
  return [
    ...(model ? ofModel(model, "#/model") : []),
    ...fallback_models.flatMap((one, index) => ofModel(one, `#/fallback_models/${index}`)),
    ...allowed_models.flatMap((one, index) => ofModel(one, `#/allowed_models/${index}`)),
    ...(compression_model ? ofModel(compression_model, "#/context/compression_model") : []),
    ...tools.flatMap((tool, index) => {
      const pointer = `#/tools/${index}`;
      if (tool.type === "a2a") return ofRemote(tool, "tool", pointer);
      return "url" in tool ? ofTool(tool, pointer) : [];
    }),
    ...hooks.flatMap((hook, index) => ofHook(hook, `#/hooks/${index}`)),
    ...(memory?.embedding ? ofEmbedding(memory.embedding) : []),
    ...(voice ? ofVoice(voice) : []),
    ...(typeof code_agent === "object" && code_agent ? ofTool(code_agent, "#/code_agent") : []),
  ];
}

/** The referenced ids, without duplicates. */
export function credentialIds(agent: CredentialUsers): readonly string[] {
  return [...new Set(namedCredentials(agent).map(({ id }) => id))];
}

function ofModel(model: ModelDefinition, pointer: string): readonly NamedCredential[] {
  if (model.provider === "a2a") return ofRemote(model, "model", pointer);
  if (model.provider === "scripted" || model.credential_id === undefined) return [];
  const { credential_id: id } = model;
  const address = baseUrlOf(model);
  return [{ id, type: "model", pointer: `${pointer}/credential_id`, address }];
}

function ofRemote(
  agent: Parameters<typeof remoteCredentials>[0],
  type: CredentialType,
  pointer: string,
): readonly NamedCredential[] {
  return remoteCredentials(agent).map(({ place, ...named }) => ({
    ...named,
    type,
    pointer: `${pointer}/${place}`,
  }));
}

function ofEmbedding(embedding: EmbeddingDefinition): readonly NamedCredential[] {
  const { credential_id: id } = embedding;
  const pointer = "#/memory/embedding/credential_id";
  return id === undefined
    ? []
    : [{ id, type: "model", pointer, address: embeddingUrlOf(embedding) }];
}

function ofVoice(voice: VoiceSettings): readonly NamedCredential[] {
  return speechEndpointsOf(voice).flatMap(({ place, credential_id: id, address }) =>
    id === undefined
      ? []
      : [{ id, type: "model", pointer: `#/voice/${place}/credential_id`, address }],
  );
}

function ofHook(hook: HookDefinition, pointer: string): readonly NamedCredential[] {
  if (hook.type !== "http" || hook.signing_credential_id === undefined) return [];
  const { signing_credential_id: id, url: address } = hook;
  return [{ id, type: "tool", pointer: `${pointer}/signing_credential_id`, address }];
}

function ofTool(
  tool: Pick<HttpTool, "url" | "signing_credential_id" | "secret_headers"> &
    Partial<Pick<HttpTool, "credential_id">>,
  pointer: string,
): readonly NamedCredential[] {
  const { credential_id, signing_credential_id, secret_headers = {}, url: address } = tool;
  const places = [
    ...Object.entries(secret_headers).map(([header, id]) => ({
      id,
      place: `secret_headers/${encodeURIComponent(header.replaceAll("~", "~0"))}`,
    })),
    { id: credential_id, place: "credential_id" },
    { id: signing_credential_id, place: "signing_credential_id" },
  ];
  return places.flatMap(({ id, place }) =>
    id === undefined ? [] : [{ id, type: "tool", pointer: `${pointer}/${place}`, address }],
  );
}
