// An OpenAI-compatible endpoint of audio on this machine: it hears and speaks tones, or whatever a turn plays in their place.
import { createServer, type IncomingMessage } from "node:http";

import { pcmToText, textToPcm } from "../../../model/voice/tones.ts";
import { FakeBody } from "../fake-endpoint.ts";

interface HeardFile {
  readonly authorization: string | undefined;
  /** Its name, type and bytes, and the form's other members. */
  readonly name: string;
  readonly type: string;
  readonly bytes: Uint8Array;
  readonly members: Readonly<Record<string, string>>;
}

interface AskedSpeech {
  readonly authorization: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

export type TranscriptionTurn = (body: FakeBody, heard: HeardFile) => void | Promise<void>;
export type SpeechTurn = (body: FakeBody, asked: AskedSpeech) => void | Promise<void>;

export interface FakeAudio {
  /** For `base_url`. */
  readonly baseUrl: string;
  readonly heard: readonly HeardFile[];
  readonly asked: readonly AskedSpeech[];
  /** Requests whose answers a client has dropped before their end. */
  readonly dropped: () => number;
  stop(): Promise<void>;
}

/** Turns are played in order; the last one again and again. */
export async function startFakeAudio({
  transcription = [transcribes],
  speech = [speaks],
}: {
  readonly transcription?: readonly TranscriptionTurn[];
  readonly speech?: readonly SpeechTurn[];
} = {}): Promise<FakeAudio> {
  const heard: HeardFile[] = [];
  const asked: AskedSpeech[] = [];
  let dropped = 0;
  const server = createServer((incoming, response) => {
    response.on("error", () => {});
    response.on("close", () => {
      if (!response.writableEnded) dropped += 1;
    });
    const body = new FakeBody(response);
    void answer(incoming, body).catch(() => response.destroy());
  });

  async function answer(incoming: IncomingMessage, body: FakeBody): Promise<void> {
    const { authorization } = incoming.headers;
    const bytes = await readAll(incoming);
    if (incoming.url === "/v1/audio/speech") {
      const turn = speech[Math.min(asked.length, speech.length - 1)]!;
      const request = { authorization, body: JSON.parse(bytes.toString("utf8")) };
      asked.push(request);
      await turn(body, request);
    } else if (incoming.url === "/v1/audio/transcriptions") {
      const turn = transcription[Math.min(heard.length, transcription.length - 1)]!;
      const request = await readForm(incoming, bytes);
      heard.push(request);
      await turn(body, request);
    } else body.refuse(404, { error: { message: "no such path" } });
  }

  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server has no port");
  return {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    heard,
    asked,
    dropped: () => dropped,
    async stop() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The text of a file of tones, as JSON. */
export const transcribes: TranscriptionTurn = (body, heard) => {
  body.answer(JSON.stringify({ text: textOf(heard) }), "application/json");
};

function textOf({ bytes }: HeardFile): string {
  const rate = Buffer.from(bytes).readUInt32LE(24);
  return pcmToText(bytes.slice(44), rate) ?? "";
}

/** Tones, in pieces that cut samples. */
export const speaks: SpeechTurn = (body, { body: asked }) => {
  body.head(200, { "content-type": "audio/pcm" });
  const pcm = textToPcm(String(asked["input"]), 24_000);
  for (let at = 0; at < pcm.byteLength; at += 4_999) {
    body.raw(Buffer.from(pcm.slice(at, at + 4_999)));
  }
  body.end();
};

async function readAll(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks);
}

async function readForm(incoming: IncomingMessage, bytes: Buffer): Promise<HeardFile> {
  const headers = { "content-type": incoming.headers["content-type"] ?? "" };
  const form = await new Response(new Uint8Array(bytes), { headers }).formData();
  const file = form.get("file");
  if (!(file instanceof File)) throw new Error("no file");
  const others = [...form.entries()].filter(([name]) => name !== "file");
  return {
    authorization: incoming.headers.authorization,
    name: file.name,
    type: file.type,
    bytes: new Uint8Array(await file.arrayBuffer()),
    members: Object.fromEntries(others.map(([name, value]) => [name, value as string])),
  };
}
