import { describe, expect, it } from "vitest";

import { toOpenAiMessages } from "../../../model/openai/to-openai-messages.ts";
import { MsgSchema, type Msg } from "../../../protocol/messages/messages.ts";
import type { Role } from "../../../protocol/messages/role.ts";

function message(role: Role, ...content: Record<string, unknown>[]): Msg {
  return MsgSchema.parse({ name: role, role, content });
}

function convert(...messages: Msg[]) {
  return toOpenAiMessages({ system_prompt: "", messages });
}

const text = (value: string) => ({ type: "text", text: value });
const call = (id: string, input = "{}") => ({ type: "tool_call", id, name: "look_up", input });
const result = (id: string, output: unknown = `of ${id}`) => ({
  type: "tool_result",
  id,
  name: "look_up",
  output,
  state: "success",
});
const base64 = (media_type: string, name?: string) => ({
  type: "data",
  ...(name && { name }),
  source: { type: "base64", data: "aGk=", media_type },
});
const at = (url: string, media_type: string) => ({
  type: "data",
  source: { type: "url", url, media_type },
});
const sentCall = (id: string, input = "{}") => ({
  id,
  type: "function",
  function: { name: "look_up", arguments: input },
});

describe("a conversation for a chat completions endpoint", () => {
  it("begins with the system prompt", () => {
    const messages = [message("system", text("Be brief.")), message("user", text("Hello"))];

    expect(toOpenAiMessages({ system_prompt: "You help.", messages })).toEqual([
      { role: "system", content: "You help." },
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hello" },
    ]);
  });

  it("shows images, sound and PDF, and names what cannot be shown", () => {
    const content = [
      text("Look:"),
      base64("image/png"),
      at("https://cdn.example/a.jpg", "image/jpeg"),
      base64("audio/wav"),
      base64("audio/mpeg"),
      base64("application/pdf", "bill.pdf"),
      base64("video/mp4", "fall.mp4"),
      at("https://cdn.example/a.mp3", "audio/mpeg"),
      at("shop://photo/1", "image/png"),
    ];

    expect(convert(message("user", ...content))).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "Look:" },
          { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } },
          { type: "image_url", image_url: { url: "https://cdn.example/a.jpg" } },
          { type: "input_audio", input_audio: { data: "aGk=", format: "wav" } },
          { type: "input_audio", input_audio: { data: "aGk=", format: "mp3" } },
          {
            type: "file",
            file: { filename: "bill.pdf", file_data: "data:application/pdf;base64,aGk=" },
          },
          {
            type: "text",
            text: '[data of type video/mp4 named "fall.mp4", which this model cannot be shown]',
          },
          { type: "text", text: "[data of type audio/mpeg at https://cdn.example/a.mp3]" },
          { type: "text", text: "[data of type image/png at shop://photo/1]" },
        ],
      },
    ]);
  });

  it("splits a reply into its rounds, each with the results of its calls", () => {
    const reply = message(
      "assistant",
      { type: "thinking", thinking: "Two orders." },
      text("I look."),
      call("a", '{"id":1}'),
      call("b"),
      result("a"),
      result("b"),
      text("One more."),
      call("c"),
      result("c"),
      text("Found."),
    );

    expect(convert(reply)).toEqual([
      {
        role: "assistant",
        content: "I look.",
        tool_calls: [sentCall("a", '{"id":1}'), sentCall("b")],
      },
      { role: "tool", tool_call_id: "a", content: "of a" },
      { role: "tool", tool_call_id: "b", content: "of b" },
      { role: "assistant", content: "One more.", tool_calls: [sentCall("c")] },
      { role: "tool", tool_call_id: "c", content: "of c" },
      { role: "assistant", content: "Found." },
    ]);
  });

  it("puts each result after its call, wherever it stands in the message", () => {
    const reply = message(
      "assistant",
      call("a"),
      call("b"),
      result("b"),
      call("c"),
      result("c"),
      result("a"),
      result("orphan"),
    );

    expect(convert(reply)).toEqual([
      { role: "assistant", content: null, tool_calls: [sentCall("a"), sentCall("b")] },
      { role: "tool", tool_call_id: "a", content: "of a" },
      { role: "tool", tool_call_id: "b", content: "of b" },
      { role: "assistant", content: null, tool_calls: [sentCall("c")] },
      { role: "tool", tool_call_id: "c", content: "of c" },
    ]);
  });

  it("shows what tools returned after the last result of the round", () => {
    const output = [text("A photo:"), base64("image/png", "box.png")];
    const reply = message("assistant", call("a"), call("b"), result("a", output), result("b", ""));

    expect(convert(reply)).toEqual([
      { role: "assistant", content: null, tool_calls: [sentCall("a"), sentCall("b")] },
      {
        role: "tool",
        tool_call_id: "a",
        content: 'A photo:\n[data of type image/png named "box.png" follows]',
      },
      { role: "tool", tool_call_id: "b", content: "[no output, state: success]" },
      {
        role: "user",
        content: [
          {
            type: "text",
            text: 'The tool look_up (a) returned data of type image/png named "box.png":',
          },
          { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } },
        ],
      },
    ]);
  });

  it("gives hints as the user's words, between two rounds", () => {
    const reply = message(
      "assistant",
      call("a"),
      result("a"),
      { type: "hint", hint: "The shop closes soon." },
      { type: "hint", hint: [text("See"), base64("image/png")] },
      text("Then quickly."),
    );

    expect(convert(reply)).toEqual([
      { role: "assistant", content: null, tool_calls: [sentCall("a")] },
      { role: "tool", tool_call_id: "a", content: "of a" },
      { role: "user", content: "The shop closes soon." },
      {
        role: "user",
        content: [
          { type: "text", text: "See" },
          { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } },
        ],
      },
      { role: "assistant", content: "Then quickly." },
    ]);
  });

  it("leaves out what says nothing", () => {
    expect(
      convert(
        message("user", text("")),
        message("assistant", { type: "thinking", thinking: "Hm." }),
        message("assistant", text("")),
        message("user", text("Hello?")),
      ),
    ).toEqual([{ role: "user", content: "Hello?" }]);
  });

  it("shows data that the assistant made as the user's", () => {
    expect(convert(message("assistant", text("Here:"), base64("image/png")))).toEqual([
      { role: "assistant", content: "Here:" },
      {
        role: "user",
        content: [
          { type: "text", text: "The assistant made data of type image/png:" },
          { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } },
        ],
      },
    ]);
  });
});
