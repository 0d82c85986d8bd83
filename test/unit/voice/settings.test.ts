// The voice of an agent as its definition has it.
import { describe, expect, test } from "vitest";

import { AgentCreateSchema, AgentUpdateSchema } from "../../../protocol/agents/contract.ts";
import { speechEndpointsOf, VoiceSettingsSchema } from "../../../protocol/voice/contract.ts";
import { credentialIds, namedCredentials } from "../../../storage/credentials/named-credentials.ts";

const scripted = { provider: "scripted" };
const openai = { provider: "openai", name: "speaker", credential_id: "crd_1" };
const detected = {
  type: "server_vad",
  threshold: 0.5,
  prefix_padding_ms: 300,
  silence_duration_ms: 500,
};
const shared = {
  voice: "default",
  turns: detected,
  keep_audio: false,
  max_seconds: 3_600,
  idle_seconds: 30,
};

function problemsOf(voice: unknown): string[] {
  const { error } = VoiceSettingsSchema.safeParse(voice);
  return (error?.issues ?? []).map(({ path }) => path.join("."));
}

describe("the voice of an agent", () => {
  test("has its defaults in either mode", () => {
    const cascade = { mode: "cascade", transcription: scripted, speech: scripted };
    const realtime = { mode: "realtime", model: scripted };

    expect(VoiceSettingsSchema.parse(cascade)).toEqual({ ...cascade, ...shared });
    expect(VoiceSettingsSchema.parse(realtime)).toEqual({
      ...realtime,
      model: { provider: "scripted", name: "refund-desk", parameters: { tokens_per_second: 0 } },
      ...shared,
    });
  });

  test("keeps what it is given", () => {
    const voice = {
      mode: "realtime",
      model: { provider: "scripted", name: "plain", parameters: { tokens_per_second: 20 } },
      voice: "marin",
      turns: { type: "manual" },
      keep_audio: true,
      max_seconds: 60,
      idle_seconds: 5,
      truncation: "explicit",
    };

    expect(VoiceSettingsSchema.parse(voice)).toEqual(voice);
  });

  test.each([
    ["without a mode", {}, ["mode"]],
    ["of an unknown mode", { mode: "duplex" }, ["mode"]],
    ["without its models", { mode: "cascade" }, ["transcription", "speech"]],
    [
      "with a vendor that has no adapter",
      { mode: "realtime", model: { provider: "elsewhere" } },
      ["model.provider"],
    ],
    [
      "with parameters that its provider does not have",
      {
        mode: "realtime",
        model: { provider: "gemini", name: "a", base_url: "ftp://a", parameters: { speed: 1 } },
      },
      ["model.base_url", "model.parameters"],
    ],
    [
      "with truncation in a cascade, where all text is ours",
      { mode: "cascade", transcription: scripted, speech: scripted, truncation: "server" },
      [""],
    ],
    [
      "beyond its bounds",
      {
        mode: "realtime",
        model: scripted,
        voice: "",
        max_seconds: 7_201,
        idle_seconds: 0,
        turns: { type: "server_vad", threshold: 2, silence_duration_ms: 1 },
      },
      ["voice", "turns.threshold", "turns.silence_duration_ms", "max_seconds", "idle_seconds"],
    ],
    [
      "with an address that is none",
      {
        mode: "cascade",
        transcription: { ...openai, base_url: "ftp://a.example" },
        speech: { ...openai, parameters: { speed: 9 } },
      },
      ["transcription.base_url", "speech.parameters.speed"],
    ],
  ])("is refused %s", (_, voice, paths) => {
    expect(problemsOf(voice)).toEqual(paths);
  });

  test("is a member of a definition that may be null, and that a change may leave out", () => {
    const voice = { mode: "realtime", model: scripted };

    expect(AgentCreateSchema.parse({ name: "Desk", voice }).voice).toMatchObject(voice);
    expect(AgentUpdateSchema.parse({ voice: null })).toEqual({ voice: null });
    expect(AgentCreateSchema.parse({ name: "Desk" })).not.toHaveProperty("voice");
  });
});

describe("the endpoints of a voice", () => {
  const voice = VoiceSettingsSchema.parse({
    mode: "cascade",
    transcription: { ...openai, name: "ear", base_url: "https://ear.example/v1" },
    speech: { ...openai, credential_id: undefined },
  });

  test("are its models that requests are sent to, each with its address", () => {
    expect(speechEndpointsOf(voice)).toEqual([
      {
        place: "transcription",
        name: "ear",
        provider: "openai",
        credential_id: "crd_1",
        address: "https://ear.example/v1",
      },
      {
        place: "speech",
        name: "speaker",
        provider: "openai",
        credential_id: undefined,
        address: "https://api.openai.com/v1",
      },
    ]);
  });

  test.each([
    ["openai", "https://api.openai.com/v1"],
    ["xai", "https://api.x.ai/v1"],
    ["dashscope", "https://dashscope-intl.aliyuncs.com/api-ws/v1"],
    ["gemini", "https://generativelanguage.googleapis.com"],
  ])("of a realtime model of %s is its provider's, as a request's", (provider, address) => {
    const model = { provider, name: "speaker", credential_id: "crd_1" };
    const speech = { provider: "openai", name: "sayer" };
    const own = { ...model, base_url: "wss://voice.example/v1" };
    const realtime = VoiceSettingsSchema.parse({ mode: "realtime", model, speech });
    const elsewhere = VoiceSettingsSchema.parse({ mode: "realtime", model: own });

    expect(speechEndpointsOf(realtime)).toEqual([
      { place: "model", name: "speaker", provider, credential_id: "crd_1", address },
      {
        place: "speech",
        name: "sayer",
        provider: "openai",
        credential_id: undefined,
        address: "https://api.openai.com/v1",
      },
    ]);
    expect(speechEndpointsOf(elsewhere)).toMatchObject([{ address: "https://voice.example/v1" }]);
    expect(namedCredentials({ voice: elsewhere })).toEqual([
      {
        id: "crd_1",
        type: "model",
        pointer: "#/voice/model/credential_id",
        address: "https://voice.example/v1",
      },
    ]);
  });

  test("name credentials of models, which are granted for their hosts", () => {
    expect(namedCredentials({ voice })).toEqual([
      {
        id: "crd_1",
        type: "model",
        pointer: "#/voice/transcription/credential_id",
        address: "https://ear.example/v1",
      },
    ]);
    expect(credentialIds({ voice: null })).toEqual([]);
  });
});
