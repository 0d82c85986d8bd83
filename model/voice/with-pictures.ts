// Shows a realtime provider the pictures among the platform's files: it is told of a block once, and takes bytes alone.
import type { StopSignal } from "../../agent/ports.ts";
import type { VoiceModel } from "../../agent/voice/voice-model.ts";
import { encodeBase64 } from "../../protocol/base64.ts";
import type { DataBlock } from "../../protocol/messages/blocks.ts";
import type { Msg } from "../../protocol/messages/messages.ts";
import { untilStopped } from "../../runtime/until-stopped.ts";
import { dataIn, hasData, replaceData } from "../conversation/data-blocks.ts";
import type { FoundMedia, MediaPort } from "../media-port.ts";
import { changeRequests } from "./change-requests.ts";
import { joinBytes } from "./join-bytes.ts";
import { MAX_SHOWN_PICTURE_BYTES, MAX_SHOWN_PICTURES } from "./limits.ts";

/** Contract: as that of the given voice. A picture that cannot be read stays an address. */
export function withPictures(voice: VoiceModel, media: MediaPort): VoiceModel {
  return changeRequests(voice, async (setup, opening) => {
    /** Ids of blocks that the provider has been shown, or will not be. */
    const shown = new Set<string>();
    const change = (messages: readonly Msg[], stop: StopSignal) =>
      inline(messages, { media, shown, stop });
    return { history: await change(setup.history, opening), change };
  });
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
  if (!hasData(messages)) return messages;
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
