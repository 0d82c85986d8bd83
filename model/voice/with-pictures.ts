// Shows a realtime provider the pictures among the platform's files: it is told of a block once, and takes bytes alone.
import type { Model, ModelRequest, StopSignal } from "../../agent/ports.ts";
import type { VoiceConnection, VoiceModel } from "../../agent/voice/voice-model.ts";
import { encodeBase64 } from "../../protocol/base64.ts";
import type { DataBlock } from "../../protocol/messages/blocks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { untilStopped } from "../../runtime/until-stopped.ts";
import { dataIn, replaceData } from "../conversation/data-blocks.ts";
import type { FoundMedia, MediaPort } from "../media-port.ts";
import { joinBytes } from "./join-bytes.ts";
import { MAX_SHOWN_PICTURE_BYTES, MAX_SHOWN_PICTURES } from "./limits.ts";

/** Contract: as that of the given voice. A picture that cannot be read stays an address. */
export function withPictures(voice: VoiceModel, media: MediaPort): VoiceModel {
  return {
    ...voice,
    open: async (setup, onEvent, stop) => {
      const shown = new Set<string>();
      const history = await inline(setup.history, { media, shown, stop });
      const opened = await voice.open({ ...setup, history }, onEvent, stop);
      if (!opened.ok) return opened;
      return { ok: true, connection: new SeeingConnection(opened.connection, media, shown) };
    },
  };
}

class SeeingConnection implements VoiceConnection {
  readonly #connection: VoiceConnection;
  readonly #media: MediaPort;
  /** Ids of blocks that the provider has been shown, or will not be. */
  readonly #shown: Set<string>;

  constructor(connection: VoiceConnection, media: MediaPort, shown: Set<string>) {
    this.#connection = connection;
    this.#media = media;
    this.#shown = shown;
  }

  appendAudio(pcm: Uint8Array): void {
    this.#connection.appendAudio(pcm);
  }

  commit(): void {
    this.#connection.commit();
  }

  clear(): void {
    this.#connection.clear();
  }

  speaks(models: readonly [Model, ...Model[]]): readonly [Model, ...Model[]] {
    const [first, ...others] = this.#connection.speaks(models);
    return [this.#seeing(first), ...others.map((model) => this.#seeing(model))];
  }

  cancel(): void {
    this.#connection.cancel();
  }

  truncate(itemId: string, playedMs: number, playedText: string): void {
    this.#connection.truncate(itemId, playedMs, playedText);
  }

  deleteItem(itemId: string): void {
    this.#connection.deleteItem(itemId);
  }

  close(): void {
    this.#connection.close();
  }

  #seeing(model: Model): Model {
    const show = async (request: ModelRequest, stop: StopSignal): Promise<ModelRequest> => {
      const shared = { media: this.#media, shown: this.#shown, stop };
      return { ...request, messages: await inline(request.messages, shared) };
    };
    return {
      ...model,
      async *stream(request, stop, report) {
        const isBlind = request.messages.every(({ content }) =>
          content.every((block) => dataIn(block).length === 0),
        );
        const asked = isBlind ? request : await show(request, stop);
        if (!stop.aborted) yield* model.stream(asked, stop, report);
      },
    };
  }
}

interface Showing {
  readonly media: MediaPort;
  readonly shown: Set<string>;
  readonly stop: StopSignal;
}

/** The newest first, as many as the bounds allow. */
async function inline(
  messages: readonly Msg[],
  { media, shown, stop }: Showing,
): Promise<readonly Msg[]> {
  const blocks = messages.flatMap(({ content }) => content.flatMap(dataIn));
  const unseen = blocks.filter(({ id, source }) => {
    const isNew = !shown.has(id) && source.type === "url" && media.isFile(source.url);
    shown.add(id);
    return isNew;
  });
  if (unseen.length === 0) return messages;
  const replaced = new Map<DataBlock, DataBlock>();
  const reading = read(unseen.slice(-MAX_SHOWN_PICTURES), media, replaced).catch(() => undefined);
  await untilStopped(reading, stop);
  return replaceData(messages, replaced);
}

async function read(
  blocks: readonly DataBlock[],
  media: MediaPort,
  replaced: Map<DataBlock, DataBlock>,
): Promise<void> {
  const urls = blocks.flatMap(({ source }) => (source.type === "url" ? [source.url] : []));
  const found = await media.find([...new Set(urls)]);
  let left = MAX_SHOWN_PICTURE_BYTES;
  for (const block of blocks.toReversed()) {
    const file = block.source.type === "url" ? found.get(block.source.url) : undefined;
    if (!file?.media_type.startsWith("image/") || file.bytes > left) continue;
    left -= file.bytes;
    const data = encodeBase64(await bytesOf(file));
    const { media_type } = file;
    replaced.set(block, { ...block, source: { type: "base64", media_type, data } });
  }
}

async function bytesOf(file: FoundMedia): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of await file.open()) {
    bytes += piece.byteLength;
    if (bytes > MAX_SHOWN_PICTURE_BYTES) break;
    pieces.push(piece);
  }
  return joinBytes(pieces);
}
