// Claims that every adapter of a realtime provider holds, against a fake of its provider on this machine.
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { VoiceModel, VoiceSetup } from "../../../agent/voice/voice-model.ts";
import { createScriptedModel } from "../../../model/scripted/scripted-model.ts";
import { textToPcm } from "../../../model/voice/tones.ts";
import type { SocketLimits } from "../../../model/voice/realtime/socket-limits.ts";
import type { SecretSource } from "../../../outgoing/secret-source.ts";
import { AssistantMsg, UserMsg } from "../../../protocol/messages/constructors.ts";
import { functionTools } from "../function-tools.ts";
import type { MemoryLog } from "../memory-log.ts";
import { runScript } from "../run-script.ts";
import { waitUntil } from "../wait-for.ts";
import { askVoice, openVoice, SERVER_TURNS, spokenMessage } from "./opened-voice.ts";
import type { FakeProvider, Refusal } from "./providers/fake-provider.ts";

/** Switches that every fake has; all are off when left out. */
export interface ProviderTraps {
  refusal?: Refusal | null;
  /** The setup is never answered. */
  isDeaf?: boolean;
  /** Nothing is answered any more, and nothing closed: a socket that is half open. */
  isGone?: boolean;
  /** Speech counts as noise. Where the provider finds turns. */
  hearsNoise?: boolean;
  /** Responses begin, and nothing follows. */
  isStuck?: boolean;
  /** Awaited before each piece of a response. */
  pace?: () => Promise<unknown>;
}

export interface StartedProvider {
  readonly server: FakeProvider;
  readonly traps: ProviderTraps;
  readonly makeVoice: (options?: VoiceOptions) => VoiceModel;
  readonly stop: () => Promise<void>;
}

export interface VoiceOptions {
  readonly limits?: Partial<SocketLimits>;
  readonly secrets?: SecretSource;
}

export interface ProviderSuite {
  readonly name: string;
  readonly start: () => Promise<StartedProvider>;
  /** Hertz that it hears. */
  readonly inputRate: number;
  /** Whether typed text reaches the model itself. */
  readonly takesText: boolean;
  /** Inputs of calls are objects of a frame, so that a member of one may be another and the frame be whole. */
  readonly hasObjectInputs?: boolean;
  /** Kinds of failures by the code of a close, where they are others than the usual. */
  readonly closes?: Readonly<Record<number, string>>;
}

export const SUITE_SECRET = "sk-secret-of-the-tests";
export const SUITE_CREDENTIAL = "crd_1";

const NOBODY = createScriptedModel({
  name: "nobody",
  tokensPerSecond: 0,
  decideTurn: () => ({ parts: [] }),
});

const tools = functionTools({
  lookup_order: { run: ({ order_id }: { order_id: string }) => `order ${order_id}` },
  refund_order: { run: () => "refunded" },
});

export function describeProvider(suite: ProviderSuite): void {
  const { inputRate, takesText } = suite;
  let started: StartedProvider;
  beforeEach(async () => {
    started = await suite.start();
  });
  afterEach(() => started.stop());

  const open = (setup: Partial<VoiceSetup> = {}, options?: VoiceOptions) =>
    openVoice(started.makeVoice(options), setup);
  const silence = (ms: number) => new Uint8Array((ms * inputRate * 2) / 1_000);

  describe(`The voice of ${suite.name}`, () => {
    it("finds a turn, writes it down, and says the answer to it", async () => {
      const { connection, until, lines, events } = await open({ turns: SERVER_TURNS });
      connection.appendAudio(silence(500));
      connection.appendAudio(textToPcm("/say Good day to you.", inputRate));
      connection.appendAudio(silence(800));

      const heard = await until("transcript");
      const [model] = connection.speaks([NOBODY]);
      const said = await askVoice(model, [spokenMessage(1_420)]);
      await until("r1 is");

      expect(heard.filter((line) => !line.startsWith("hear"))).toContain(
        "transcript of item1: /say Good day to you.",
      );
      expect(said).toEqual(["Good day to you."]);
      const answer = lines().filter((line) => /^(?:response|item|r1)/.test(line));
      expect(answer.toSorted()).toEqual(SPOKEN);
      expect(events[0]?.type).toBe("session_created");
    });

    it("hears a turn that a commit ends", async () => {
      const { connection, until } = await open();
      connection.appendAudio(textToPcm("/say Yes.", inputRate));
      connection.commit();
      await until("heard item1");
      const [model] = connection.speaks([NOBODY]);

      expect(await askVoice(model, [spokenMessage(440)])).toEqual(["Yes."]);
    });

    it("forgets what was spoken before it is cleared", async () => {
      const { connection, until } = await open();
      connection.appendAudio(textToPcm("/say No.", inputRate));
      connection.clear();
      connection.appendAudio(textToPcm("/say Yes.", inputRate));
      connection.commit();
      await until("heard item1");
      const [model] = connection.speaks([NOBODY]);

      expect(await askVoice(model, [spokenMessage(440)])).toEqual(["Yes."]);
    });

    it
      .runIf(takesText)
      .each([
        "Where are A-1001 and A-1002?",
        "I want my money back for A-1001",
        "hello",
        '/call lookup_order {"order_id":"A-1"}\n/call lookup_order {"order_id":"A-2"}\n/say Done.',
      ])("says and calls what the model does in writing, asked %j", async (script) => {
      const { connection } = await open({ tools: tools.tools });

      const spoken = await runScript({ script, tools, models: connection.speaks([NOBODY]) });
      const written = await runScript({ script, tools });

      expect(withoutThoughts(spoken)).toEqual(withoutThoughts(written));
    });

    it("knows the conversation before it, and answers what was spoken since", async () => {
      const history = [
        UserMsg("user", "It is about A-1001"),
        AssistantMsg("agent", [{ type: "text", text: "Yes?" }]),
      ];
      const { connection, until } = await open({ history, tools: tools.tools });
      connection.appendAudio(textToPcm("Where is it?", inputRate));
      connection.commit();
      await until("heard item1");
      const [model] = connection.speaks([NOBODY]);

      const messages = [...history, spokenMessage(560)];
      const said = await askVoice(model, messages, { tools: tools.tools });

      expect(said).toEqual(['lookup_order{"order_id":"A-1001"}']);
    });

    it("tells of a socket that is lost, and restores the conversation on the next one", async () => {
      const first = await open({ tools: tools.tools });
      first.connection.appendAudio(textToPcm("/say It is about A-1001.", inputRate));
      first.connection.commit();
      await first.until("heard item1");
      const [before] = first.connection.speaks([NOBODY]);
      const asked = spokenMessage(1_040, "It is about A-1001");
      const said = await askVoice(before, [asked], { tools: tools.tools });
      (await started.server.client(0)).destroy();
      await first.until("ended");
      const lost = await askVoice(before, [asked]);
      const reply = AssistantMsg("agent", [{ type: "text", text: said[0] ?? "" }]);
      const history = [asked, reply];
      const second = await open({ history, tools: tools.tools });
      second.connection.appendAudio(textToPcm("Where is it?", inputRate));
      second.connection.commit();
      await second.until("heard item1");
      const [after] = second.connection.speaks([NOBODY]);
      const messages = [...history, spokenMessage(560)];

      expect(lost).toEqual(["error connection"]);
      expect(await askVoice(after, messages, { tools: tools.tools })).toEqual([
        'lookup_order{"order_id":"A-1001"}',
      ]);
    });

    it("gives calls of two connections ids of their own, though the provider repeats its own", async () => {
      const ids: string[] = [];
      for (const _ of [1, 2]) {
        const { connection, until, events } = await open({ tools: tools.tools });
        connection.appendAudio(textToPcm("Where is A-1001?", inputRate));
        connection.commit();
        await until("heard item1");
        await askVoice(connection.speaks([NOBODY])[0], [spokenMessage(720)], {
          tools: tools.tools,
        });
        await until("r1 is");
        for (const event of events) {
          if (event.type === "response_tool_use_done") ids.push(event.call_id);
          if (event.type === "response_created") ids.push(event.response_id);
        }
        connection.close();
      }

      expect(ids).toHaveLength(4);
      expect(new Set(ids).size).toBe(4);
    });

    it.each(["cancel", "stop"] as const)(
      "ends what it says by %s, and answers again",
      async (way) => {
        const stopping = new AbortController();
        const { connection, until, events } = await open();
        const [model] = connection.speaks([NOBODY]);
        const speak = async (text: string, item: string) => {
          connection.appendAudio(textToPcm(text, inputRate));
          connection.commit();
          await until(`heard ${item}`);
        };
        const begun = Promise.withResolvers<void>();
        let pieces = 0;
        started.traps.pace = () => {
          pieces += 1;
          return pieces > 2 ? begun.promise : Promise.resolve();
        };
        await speak("/words 40", "item1");
        const said = askVoice(model, [spokenMessage(440)], { stop: stopping.signal });
        await waitUntil(() => events.find(({ type }) => type === "response_audio_delta"));
        if (way === "cancel") connection.cancel();
        else stopping.abort();
        await said;
        await until("r1 is cancelled");
        begun.resolve();
        started.traps.pace = () => Promise.resolve();
        connection.appendAudio(textToPcm("/say Again.", inputRate));
        connection.commit();
        await waitUntil(() => events.filter(({ type }) => type === "input_done")[1]);

        const again = await askVoice(model, [spokenMessage(440), spokenMessage(520)]);

        expect(again).toEqual(["Again."]);
      },
    );

    it("tells nothing once it is closed, and fails its calls", async () => {
      const { connection, events } = await open();
      const [model] = connection.speaks([NOBODY]);
      connection.close();
      connection.close();
      connection.commit();
      connection.cancel();
      connection.appendAudio(textToPcm("a", inputRate));

      expect(await askVoice(model, [UserMsg("user", "hello")])).toEqual(["error connection"]);
      expect(events.filter(({ type }) => type !== "session_created")).toEqual([]);
    });

    it("takes audio at its own rates alone", async () => {
      const opening = open({ rates: { input: 8_000, output: 24_000 } });

      await expect(opening).rejects.toThrow("Hz, not 8000 and 24000 Hz.");
    });

    it("passes over frames and members that nobody knows", async () => {
      const { connection, until, lines } = await open();
      const client = await started.server.client();
      for (const frame of [
        {},
        { type: null },
        { type: 7 },
        { type: "x.y", of: [{}] },
        { newer: {} },
      ]) {
        client.send(frame);
      }
      connection.appendAudio(textToPcm("/say Yes.", inputRate));
      connection.commit();
      await until("heard item1");
      const [model] = connection.speaks([NOBODY]);

      expect(await askVoice(model, [spokenMessage(440)])).toEqual(["Yes."]);
      expect(lines().filter((line) => /^(?:error|ended)/.test(line))).toEqual([]);
    });

    it("counts tokens by direction", async () => {
      const { connection, until, events } = await open();
      connection.appendAudio(textToPcm("/say Yes.", inputRate));
      connection.commit();
      await until("heard item1");
      await askVoice(connection.speaks([NOBODY])[0], [spokenMessage(440)]);
      await until("r1 is completed");

      const done = events.find((event) => event.type === "response_done");
      expect(done?.usage).toMatchObject({
        input_tokens: expect.any(Number),
        output_tokens: expect.any(Number),
        audio: { input_tokens: expect.any(Number), output_tokens: expect.any(Number) },
      });
    });
  });
}

/** In the order of the alphabet: providers end a text before its audio, or behind it. */
const SPOKEN = [
  'item2 is the text "Good day to you."',
  'item2 sounds like "Good day to you."',
  "r1 is completed",
  "response r1",
];

/** Ids and times are of each run. */
function withoutThoughts({ state }: MemoryLog) {
  return state.message.content.flatMap((block) => {
    switch (block.type) {
      case "text":
        return [block.text];
      case "tool_call":
        return [`${block.name} ${block.input} ${block.state}`];
      case "tool_result":
        return [`${block.state} ${JSON.stringify(block.output)}`.replace(/"id":"[^"]*"/g, "")];
      default:
        return [];
    }
  });
}
