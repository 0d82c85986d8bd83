// Pictures of types that a wire cannot carry: a provider would refuse the whole conversation for one of them.
import { describe, expect, it } from "vitest";

import { createModel } from "../../../../model/create-model.ts";
import { ModelDefinitionSchema } from "../../../../protocol/models/contract.ts";
import { MsgSchema } from "../../../../protocol/messages/messages.ts";
import { collect } from "../../../support/collect.ts";
import { eventText, startWire, WIRES } from "./wires.ts";

const STRANGE = ["image/xyz", "image/svg+xml", "image/__proto__", "image/", "IMAGE/X-ICON"];

function messagesWith(source: object) {
  const message = { name: "u", role: "user", content: [{ type: "data", name: "shot", source }] };
  return [MsgSchema.parse(message)];
}

describe.each(WIRES)("a picture for a model of $name", (wire) => {
  async function send(source: object): Promise<string> {
    const server = await startWire(wire, (body) => {
      body.raw(eventText([...wire.text("Hi"), ...wire.end(1, 1)]));
      body.end();
    });
    const request = { system_prompt: "", messages: messagesWith(source), tools: [] };
    await collect(wire.model(server.url).stream(request, new AbortController().signal));
    return JSON.stringify(server.requests[0]?.body);
  }

  it.each(STRANGE)("of the type %s is a note", async (media_type) => {
    const inline = await send({ type: "base64", media_type, data: "aW1n" });
    const elsewhere = await send({ type: "url", media_type, url: "https://cdn.example/a" });
    const inAddress = await send({
      type: "url",
      media_type,
      url: `data:${media_type.toLowerCase()};base64,${"aW1n".repeat(1_000)}`,
    });

    for (const body of [inline, elsewhere, inAddress]) {
      expect(body).toContain(`data of type ${media_type} named`);
      expect(body).not.toContain("aW1n");
    }
    expect(elsewhere).toContain("https://cdn.example/a");
  });

  it("with the name that people give to image/jpeg has the right one", async () => {
    const body = await send({ type: "base64", media_type: "image/jpg", data: "aW1n" });

    expect(body).toContain("aW1n");
    expect(body).not.toContain("image/jpg");
  });
});

describe("a photo of a phone", () => {
  const photo = { type: "base64", media_type: "image/heic", data: "aW1n" };
  const at = (model: object) => {
    const bodies: string[] = [];
    const created = createModel(ModelDefinitionSchema.parse(model), {
      outgoing: async (_input, init) => {
        bodies.push(typeof init?.body === "string" ? init.body : "");
        return new Response("data: [DONE]\n\n", {
          headers: { "content-type": "text/event-stream" },
        });
      },
      secrets: () => ({ ok: true, secret: "sk" }),
      decideTurn: () => ({ parts: [] }),
    });
    return { bodies, created };
  };

  it.each([
    ["is shown by endpoints that may read it", "https://models.example/v1", true],
    ["is a note for a vendor that does not", undefined, false],
  ])("%s", async (_case, base_url, isShown) => {
    const { bodies, created } = at({ provider: "openai", name: "gpt-5.6-luna", base_url });

    const request = { system_prompt: "", messages: messagesWith(photo), tools: [] };
    await collect(created.stream(request, new AbortController().signal));

    expect(bodies[0]?.includes("data:image/heic;base64,aW1n")).toBe(isShown);
    expect(bodies[0]?.includes("data of type image/heic")).toBe(!isShown);
  });
});
