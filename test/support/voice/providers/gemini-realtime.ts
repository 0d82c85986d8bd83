// A server on this machine that speaks Gemini Live's wire, as the types of @google/genai have it: JSON in binary
// frames, answers that begin by themselves, ids of calls alone. It hears and speaks tones, and says what the scripted model does.
import { pcmToText } from "../../../../model/voice/tones.ts";
import type { ProviderTraps } from "../provider-suite.ts";
import { FakeBrain, type BrainItem } from "./fake-brain.ts";
import { FakeProvider, type ProviderClient } from "./fake-provider.ts";
import type {
  GeminiClientFrame,
  GeminiContent,
  GeminiPart,
  GeminiServerContent,
  GeminiServerFrame,
} from "./gemini-wire.ts";

type Setup = NonNullable<GeminiClientFrame["setup"]>;
type KnownReason = NonNullable<GeminiServerContent["turnCompleteReason"]>;
type GeminiArguments = NonNullable<GeminiPart["functionCall"]>["args"];

export interface GeminiBehaviour extends ProviderTraps {
  /** When the words of the user come. */
  transcript: "before" | "after" | "never";
  /** The words of the model come behind `turnComplete`. */
  isTextLate: boolean;
  /** Closes in answer to setups with a handle, while there are any. */
  readonly handleCloses: { readonly code: number; readonly reason: string }[];
  /** Ends the next turn so, without a word. */
  reason: string | null;
}

export interface FakeGemini {
  /** For `base_url`. */
  readonly url: string;
  readonly server: FakeProvider;
  readonly traps: GeminiBehaviour;
  readonly connections: readonly GeminiServerConnection[];
  /** The newest. */
  readonly connection: GeminiServerConnection;
  stop(): Promise<void>;
}

export async function startFakeGemini(
  behaviour: Partial<GeminiBehaviour> = {},
): Promise<FakeGemini> {
  const own: GeminiBehaviour = {
    transcript: "before",
    isTextLate: false,
    handleCloses: [],
    reason: null,
    ...behaviour,
  };
  const connections: GeminiServerConnection[] = [];
  const sessions = new Map<string, readonly GeminiContent[]>();
  const server = await FakeProvider.start({
    onClient: (client) => {
      const connection = new GeminiServerConnection(client, own, sessions);
      connections.push(connection);
      return (frame) => connection.take(frame as GeminiClientFrame);
    },
    refusal: () => own.refusal ?? null,
  });
  return {
    url: server.url,
    server,
    traps: own,
    connections,
    get connection() {
      const newest = connections.at(-1);
      if (!newest) throw new Error("nobody has connected");
      return newest;
    },
    stop: server.stop,
  };
}

class GeminiServerConnection {
  readonly client: ProviderClient;
  readonly frames: GeminiClientFrame[] = [];
  /** The conversation as the server has it. */
  conversation: readonly GeminiContent[] = [];
  readonly #behaviour: GeminiBehaviour;
  readonly #sessions: Map<string, readonly GeminiContent[]>;
  #parts: GeminiPart[] = [];
  #pcm: Buffer[] = [];
  #isActive = false;
  #isTranscribed = false;
  /** The generation under way. */
  #stop: AbortController | null = null;
  #calls: string[] = [];
  #count = 0;

  constructor(
    client: ProviderClient,
    behaviour: GeminiBehaviour,
    sessions: Map<string, readonly GeminiContent[]>,
  ) {
    this.client = client;
    this.#behaviour = behaviour;
    this.#sessions = sessions;
  }

  get setup(): Setup {
    return this.frames[0]?.setup ?? {};
  }

  /** The members of real-time input that came, without audio. */
  get inputs(): readonly string[] {
    return this.frames.flatMap(({ realtimeInput }) => {
      const [name] = Object.keys(realtimeInput ?? {});
      return name === undefined || name === "audio" ? [] : [name];
    });
  }

  send(frame: GeminiServerFrame): void {
    this.sendAny(frame);
  }

  /** Frames that the types of the package do not have, too. */
  sendAny(frame: object): void {
    this.client.sendBinary(frame);
  }

  content(serverContent: GeminiServerContent): void {
    this.send({ serverContent });
  }

  goAway(timeLeft: string): void {
    this.send({ goAway: { timeLeft } });
  }

  /** A state that can be resumed from now on. */
  offerHandle(): void {
    const newHandle = `handle_${this.#sessions.size + 1}`;
    this.#sessions.set(newHandle, this.conversation);
    this.send({ sessionResumptionUpdate: { newHandle, resumable: true } });
  }

  take(frame: GeminiClientFrame): void {
    this.frames.push(frame);
    if (frame.setup) return this.#setUp(frame.setup);
    if (this.frames[0]?.setup === undefined) return this.client.close(1_007, "no setup");
    if (frame.clientContent) {
      if (!this.setup.historyConfig)
        return this.client.close(1_007, "Request contains an invalid argument.");
      this.conversation = [...this.conversation, ...frame.clientContent.turns];
    }
    if (frame.toolResponse) this.#takeResults(frame.toolResponse);
    if (frame.realtimeInput) this.#hear(frame.realtimeInput);
  }

  #setUp({ sessionResumption }: Setup): void {
    const handle = sessionResumption?.handle;
    if (this.#behaviour.isDeaf) return;
    if (handle !== undefined) {
      const refusal = this.#behaviour.handleCloses.shift();
      const known = this.#sessions.get(handle);
      if (refusal) return this.client.close(refusal.code, refusal.reason);
      if (!known) return this.client.close(1_007, "Invalid session resumption handle.");
      this.conversation = known;
    }
    this.send({ setupComplete: { sessionId: "live_1" } });
    // Things that nobody knows yet.
    this.sendAny({ interactionHint: { kind: "new" } });
    this.content({ interactionStatus: "IN_PROGRESS", waitingForInput: true });
  }

  #takeResults({ functionResponses }: NonNullable<GeminiClientFrame["toolResponse"]>): void {
    const isKnown = functionResponses.every(({ id }) => this.#calls.includes(id));
    if (!isKnown) return this.client.close(1_008, "unknown function response");
    this.#calls = [];
    const parts = functionResponses.map((functionResponse) => ({ functionResponse }));
    this.#say({ role: "user", parts });
    void this.#generate();
  }

  #hear(input: NonNullable<GeminiClientFrame["realtimeInput"]>): void {
    if (input.activityStart) return this.#begin();
    if (!this.#isActive) return this.client.close(1_007, "input without activity");
    if (input.audio) this.#listen(Buffer.from(input.audio.data, "base64"));
    if (input.video) this.#parts.push({ inlineData: input.video });
    if (input.text !== undefined) this.#parts.push({ text: input.text });
    if (input.activityEnd) this.#end();
  }

  #begin(): void {
    this.#isActive = true;
    if (this.#calls.length > 0) this.send({ toolCallCancellation: { ids: this.#calls } });
    this.#calls = [];
    if (!this.#stop) return;
    this.#stop.abort();
    this.#stop = null;
    this.content({ interrupted: true });
    this.content({ turnComplete: true });
  }

  /** Words come while it hears, once there is silence behind them. */
  #listen(pcm: Buffer): void {
    this.#pcm.push(pcm);
    const isSilent = pcm.every((byte) => byte === 0);
    if (isSilent && this.#behaviour.transcript === "before") this.#transcribe();
  }

  #end(): void {
    this.#isActive = false;
    const spoken = this.#pcm.length > 0 ? this.#heard() : null;
    if (this.#behaviour.transcript === "before") this.#transcribe();
    const parts = [...(spoken === null ? [] : [{ text: spoken }]), ...this.#parts];
    this.#parts = [];
    this.#say({ role: "user", parts });
    const isDone = this.#generate();
    if (this.#behaviour.transcript !== "after") this.#forget();
    else void isDone.then(() => this.#transcribe()).then(() => this.#forget());
  }

  #forget(): void {
    this.#pcm = [];
    this.#isTranscribed = false;
  }

  #heard(): string {
    return pcmToText(Buffer.concat(this.#pcm), 16_000) ?? "(noise)";
  }

  #transcribe(): void {
    if (this.#pcm.length === 0 || this.#isTranscribed) return;
    this.#isTranscribed = true;
    const text = this.#heard();
    const half = Math.ceil(text.length / 2);
    for (const piece of [text.slice(0, half), text.slice(half)]) {
      if (piece !== "") this.content({ inputTranscription: { text: piece, languageCode: "en" } });
    }
  }

  async #generate(): Promise<void> {
    const stop = new AbortController();
    this.#stop = stop;
    const { reason, isStuck, pace = () => Promise.resolve() } = this.#behaviour;
    this.#behaviour.reason = null;
    if (isStuck) return;
    // Also reasons that the package does not know.
    if (reason !== null) return this.#complete({ turnCompleteReason: reason as KnownReason });
    const said: string[] = [];
    const calls = new Map<number, { name: string; input: string }>();
    const brain = new FakeBrain();
    brain.items = itemsOf(this.conversation);
    for await (const piece of brain.answer(this.#tools, stop.signal)) {
      await Promise.race([pace(), aborted(stop.signal)]);
      if (stop.signal.aborted) break;
      if (piece.type === "text") {
        said.push(piece.delta);
        if (!this.#behaviour.isTextLate) this.#write(piece.delta);
        this.#sound(piece.audio);
      } else if (piece.type === "call") {
        const call = calls.get(piece.index) ?? { name: piece.name ?? "", input: "" };
        calls.set(piece.index, { ...call, input: call.input + piece.delta });
      }
    }
    const text = said.join("");
    const isCut = stop.signal.aborted;
    const functionCalls = isCut ? [] : [...calls.values()].map((call) => this.#newCall(call));
    const parts = [
      ...(text === "" ? [] : [{ text }]),
      ...functionCalls.map((functionCall) => ({ functionCall })),
    ];
    if (parts.length > 0) this.#say({ role: "model", parts });
    if (isCut) return;
    if (functionCalls.length > 0) {
      this.#stop = null;
      this.#calls = functionCalls.map(({ id }) => id);
      this.send({ sessionResumptionUpdate: { resumable: false } });
      this.send({ toolCall: { functionCalls }, usageMetadata: USAGE });
      return;
    }
    this.content({ generationComplete: true });
    this.#complete({});
    if (this.#behaviour.isTextLate) this.#write(text);
    this.offerHandle();
  }

  get #tools(): readonly string[] {
    const [first] = this.setup.tools ?? [];
    return first?.functionDeclarations.map(({ name }) => name) ?? [];
  }

  #newCall({ name, input }: { readonly name: string; readonly input: string }) {
    this.#count += 1;
    return {
      id: `function-call-${this.#count}`,
      name,
      args: JSON.parse(input || "{}") as GeminiArguments,
    };
  }

  #write(text: string): void {
    this.content({ outputTranscription: { text } });
  }

  #complete(members: GeminiServerContent): void {
    this.#stop = null;
    this.send({ serverContent: { turnComplete: true, ...members }, usageMetadata: USAGE });
  }

  #sound(audio: Uint8Array): void {
    if (audio.byteLength === 0) return;
    const data = Buffer.from(audio).toString("base64");
    const parts = [
      { text: "what it thinks", thought: true },
      { inlineData: { mimeType: "audio/pcm;rate=24000", data } },
    ];
    this.content({ modelTurn: { role: "model", parts } });
  }

  #say(content: GeminiContent): void {
    this.conversation = [...this.conversation, content];
  }
}

const USAGE: GeminiServerFrame["usageMetadata"] = {
  promptTokenCount: 40,
  responseTokenCount: 20,
  thoughtsTokenCount: 1,
  cachedContentTokenCount: 8,
  totalTokenCount: 61,
  promptTokensDetails: [
    { modality: "TEXT", tokenCount: 10 },
    { modality: "AUDIO", tokenCount: 30 },
  ],
  responseTokensDetails: [{ modality: "AUDIO", tokenCount: 20 }],
};

/** Words in brackets are nobody's orders. */
function itemsOf(conversation: readonly GeminiContent[]): BrainItem[] {
  return conversation.flatMap(({ role, parts }, at): BrainItem[] => {
    const id = `content_${at}`;
    const texts = parts.flatMap(({ text }) => text ?? []).filter((text) => !text.startsWith("["));
    const own = role === "model" ? "assistant" : "user";
    const text = { type: "text", id, role: own, text: texts.join("\n"), audioMs: 0 } as const;
    const others = parts.flatMap(({ functionCall, functionResponse }): BrainItem[] => {
      if (functionCall) {
        const { id: call_id, name, args } = functionCall;
        return [{ type: "call", id: call_id, call_id, name, input: JSON.stringify(args) }];
      }
      if (!functionResponse) return [];
      const { id: call_id, response } = functionResponse;
      const output = response["output"] ?? response["error"] ?? "";
      return [{ type: "result", id: `${call_id}_result`, call_id, output }];
    });
    return texts.length === 0 ? others : [text, ...others];
  });
}

function aborted(stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stop.aborted) resolve();
    stop.addEventListener("abort", () => resolve(), { once: true });
  });
}
