import { describe, expect, it } from "vitest";

import { refundDeskTurn } from "../../../../demo/refund-desk-turn.ts";
import { createScriptedModel } from "../../../../model/scripted/scripted-model.ts";
import { AudioPace } from "../../../../model/voice/audio-pace.ts";
import { createScriptedVoice } from "../../../../model/voice/scripted/scripted-voice.ts";
import { textToPcm } from "../../../../model/voice/tones.ts";
import { AssistantMsg, UserMsg } from "../../../../protocol/messages/constructors.ts";
import { functionTools } from "../../../support/function-tools.ts";
import type { MemoryLog } from "../../../support/memory-log.ts";
import { runScript } from "../../../support/run-script.ts";
import {
  askVoice,
  openVoice,
  SERVER_TURNS,
  spokenMessage,
} from "../../../support/voice/opened-voice.ts";
import { waitUntil } from "../../../support/wait-for.ts";

const RATE = 16_000;

function scriptedVoice(tokensPerSecond = 0, pace?: AudioPace) {
  return createScriptedVoice({
    ...(pace && { pace }),
    name: "refund-desk",
    tokensPerSecond,
    truncation: "explicit",
    decideTurn: refundDeskTurn,
  });
}

function silence(ms: number): Uint8Array {
  return new Uint8Array((ms * RATE * 2) / 1_000);
}

describe("The scripted voice", () => {
  it("finds a turn, writes it down, and says what its script says", async () => {
    const { connection, until, lines } = await openVoice(scriptedVoice(), { turns: SERVER_TURNS });
    connection.appendAudio(silence(500));
    connection.appendAudio(textToPcm("/say Good day to you.", RATE));
    connection.appendAudio(silence(800));

    const heard = await until("transcript");
    const [model] = connection.speaks([NOBODY]);
    const said = await askVoice(model, [spokenMessage(1_420)]);

    expect(heard).toEqual([
      "hears item1 from 200",
      "heard item1 to 1620",
      "transcript of item1: /say Good day to you.",
    ]);
    expect(said).toEqual(["Good day to you."]);
    expect(lines().slice(3)).toEqual([
      "response r1",
      'item2 is the text "Good day to you."',
      'item2 sounds like "Good day to you."',
      "r1 is completed",
    ]);
  });

  it("hears a turn that a commit ends, whatever was said", async () => {
    const { connection, until } = await openVoice(scriptedVoice());
    connection.appendAudio(silence(1_200));
    connection.commit();
    connection.commit();

    expect(await until("error")).toEqual([
      "hears item1 from 0",
      "heard item1 to 1200",
      "transcript of item1: (speech of 1.2 s)",
      "error input_audio_buffer_commit_empty: There is no speech since the last turn.",
    ]);
  });

  it("forgets what was spoken before it is cleared", async () => {
    const { connection, until } = await openVoice(scriptedVoice());
    connection.appendAudio(textToPcm("no", RATE));
    connection.clear();
    connection.appendAudio(textToPcm("yes", RATE));
    connection.commit();

    expect(await until("transcript")).toEqual([
      "hears item1 from 160",
      "heard item1 to 360",
      "transcript of item1: yes",
    ]);
  });

  it.each([
    "Where are A-1001 and A-1002?",
    "I want my money back for A-1001",
    "hello",
    '/say One.\n/call lookup_order {"order_id":"A-1"}\n/think Hm.\n/say Two.\n/call refund_order {}\n/say Three.',
    '/call lookup_order {"order_id":"A-1"}\n/call lookup_order {"order_id":"A-2"}\n/say Done.',
  ])("says and calls what the scripted model does in writing, asked %j", async (script) => {
    const { connection } = await openVoice(scriptedVoice());

    const spoken = await runScript({ script, tools, models: connection.speaks([NOBODY]) });
    const written = await runScript({ script, tools });

    expect(withoutThoughts(spoken)).toEqual(withoutThoughts(written));
  });

  it("knows the conversation before it, and what was written since", async () => {
    const history = [
      UserMsg("user", "It is about A-1001"),
      AssistantMsg("agent", [{ type: "text", text: "Yes?" }]),
    ];
    const asked = UserMsg("user", "Where is it?");
    const { connection } = await openVoice(scriptedVoice(), { history });
    const [model] = connection.speaks([NOBODY]);

    const said = await askVoice(model, [...history, asked], { tools: tools.tools });

    expect(said).toEqual(['lookup_order{"order_id":"A-1001"}']);
  });

  it("answers the turn that was placed, not the one that was heard since", async () => {
    const { connection, until, events } = await openVoice(scriptedVoice());
    const [model] = connection.speaks([NOBODY]);
    const say = (text: string) => {
      connection.appendAudio(textToPcm(text, RATE));
      connection.commit();
    };
    say("/say First.\n/call look {}\n/say Second.");
    say("/say Other.");
    await until("transcript of item2");
    const first = spokenMessage(80 + 40 * 39);

    const one = await askVoice(model, [first]);
    const id = events.find((event) => event.type === "response_tool_use_done")!.call_id;
    const reply = AssistantMsg("agent", [
      { type: "text", text: "First." },
      { type: "tool_call", id, name: "look", input: "{}", state: "finished" },
      { type: "tool_result", id, name: "look", output: "ok", state: "success" },
    ]);
    const two = await askVoice(model, [first, reply]);
    const three = await askVoice(model, [first, reply, spokenMessage(80 + 40 * 11)]);

    expect([one, two, three]).toEqual([["First.", "look{}"], ["Second."], ["Other."]]);
  });

  it("makes a call anew that has failed, as if it had not been", async () => {
    const { connection, until, events, lines } = await openVoice(scriptedVoice());
    const [model] = connection.speaks([NOBODY]);
    const asked = UserMsg("user", "/say Half.\n/fail upstream\n/then\n/say Never.");

    const tries = [await askVoice(model, [asked]), await askVoice(model, [asked])];
    const told = await until("r2 is failed");
    for (const event of events) {
      if (event.type === "response_audio_done") connection.deleteItem(event.item_id);
    }

    expect(tries).toEqual([
      ["Half.", "error upstream"],
      ["Half.", "error upstream"],
    ]);
    expect(lines()).toEqual(told);
    expect(told.filter((line) => line.startsWith("item"))).toEqual([
      'item1 is the text "Half."',
      'item1 sounds like "Half."',
      'item2 is the text "Half."',
      'item2 sounds like "Half."',
    ]);
  });

  it.each(["cancel", "stop"] as const)("ends what it says when told so by %s", async (way) => {
    const { connection, until, events } = await openVoice(scriptedVoice(50));
    const stopping = new AbortController();
    const [model] = connection.speaks([NOBODY]);
    const asked = UserMsg("user", "/say Begun\n/wait 100000\n/say ended.");

    const said = askVoice(model, [asked], { stop: stopping.signal });
    await waitUntil(() => events.find(({ type }) => type === "response_audio_delta"));
    if (way === "cancel") connection.cancel();
    else stopping.abort();

    expect(await said).toEqual([expect.stringMatching(/^Begu?n?$/)]);
    expect((await until("r1 is")).at(-1)).toBe("r1 is cancelled");
  });

  it("cuts what was not heard, and refuses other cuts as OpenAI does", async () => {
    const { connection, until, events, lines } = await openVoice(scriptedVoice());
    const [model] = connection.speaks([NOBODY]);
    await askVoice(model, [UserMsg("user", "/say Hello world")]);
    await until("r1 is completed");
    const told = lines().length;
    const { item_id } = events.find((event) => event.type === "response_audio_delta")!;

    connection.truncate(item_id, 0, "");
    connection.truncate(item_id, 100_000, "Hello world");
    connection.truncate(item_id, 280, "Hello");
    connection.truncate(item_id, 300, "Hello w");
    connection.deleteItem(item_id);
    connection.deleteItem(item_id);
    connection.cancel();
    await until("error item_not_found");

    const past = (ms: number, length: number) =>
      `error invalid_value: Audio content of ${length}ms is already shorter than ${ms}ms`;
    expect(lines().slice(told)).toEqual([
      "error unsupported_content_type: Only model output audio messages can be truncated",
      past(100_000, 520),
      past(300, 280),
      `error item_not_found: Item with item_id not found: ${item_id}`,
    ]);
  });

  it("ends a response that nobody would hear to its end", async () => {
    const pace = new AudioPace({ burstMs: 600_000, pace: 1 });
    const { connection, until } = await openVoice(scriptedVoice(0, pace));
    const [model] = connection.speaks([NOBODY]);

    const said = await askVoice(model, [UserMsg("user", "/words 5000")]);

    expect(said.at(-1)).toBe("output_limit");
    expect((await until("r1 is")).at(-1)).toBe("r1 is incomplete");
  });

  it("makes audio no faster than its pace, over all answers of a connection", async () => {
    const pace = new AudioPace({ burstMs: 0, pace: 10 });
    const { connection, until } = await openVoice(scriptedVoice(0, pace));
    const [model] = connection.speaks([NOBODY]);
    const beganMs = performance.now();
    await askVoice(model, [UserMsg("user", "/say One, two, three, four, five, six.")]);

    expect((await until("r1 is")).at(-1)).toBe("r1 is completed");
    // More than a second of it.
    expect(performance.now() - beganMs).toBeGreaterThan(100);
  });

  it("tells nothing once it is closed, and fails its calls", async () => {
    const { connection, events } = await openVoice(scriptedVoice());
    const [model] = connection.speaks([NOBODY]);
    connection.appendAudio(textToPcm("a", RATE));
    connection.close();
    connection.commit();
    connection.appendAudio(textToPcm("a", RATE));

    expect(await askVoice(model, [UserMsg("user", "hello")])).toEqual(["error connection"]);
    expect(events.map(({ type }) => type)).toEqual(["session_created"]);
  });

  it("takes audio at its own rates alone", async () => {
    const opening = openVoice(scriptedVoice(), { rates: { input: 8_000, output: 24_000 } });

    await expect(opening).rejects.toThrow(
      "The voice hears 16000 Hz and speaks 24000 Hz, not 8000 and 24000 Hz.",
    );
  });
});

const NOBODY = createScriptedModel({
  name: "nobody",
  tokensPerSecond: 0,
  decideTurn: () => ({ parts: [] }),
});

const tools = functionTools({
  lookup_order: { run: ({ order_id }: { order_id: string }) => `order ${order_id}` },
  refund_order: { run: () => "refunded" },
});

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
