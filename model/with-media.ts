// Shows a model the platform's files. Adapters get a file as base64 data like any other; what they get is a mark in the
// place of the data, and the request's body has the bytes there only while it is sent (`splice-media.ts`), so that no
// more than a piece of them is in memory.
import { modelError } from "../agent/state/model-error.ts";
import type { ModelReporter } from "../agent/failure-report.ts";
import type { Model, ModelChunk, ModelRequest, StopSignal } from "../agent/ports.ts";
import { MAX_CALL_MEDIA_BYTES } from "../protocol/files/limits.ts";
import type { DataBlock, TextBlock } from "../protocol/messages/blocks.ts";
import type { FoundMedia, MediaPort } from "./media-port.ts";
import { dataIn, hasData, noteInPlaceOf, replaceData } from "./conversation/data-blocks.ts";
import { untilStopped } from "../runtime/until-stopped.ts";
import { markOf, type MediaMarks } from "./splice-media.ts";

/** @param marks Those that the adapter's `fetch` replaces. */
export function withMedia(model: Model, media: MediaPort, marks: MediaMarks): Model {
  return {
    ...model,
    // No generator around a call without media: it would cost each token about as much as its parsing.
    stream: (request, stop, report) =>
      hasData(request.messages)
        ? streamWithMedia(model, { media, marks }, request, { stop, report })
        : model.stream(request, stop, report),
  };
}

interface Ports {
  readonly media: MediaPort;
  readonly marks: MediaMarks;
}

async function* streamWithMedia(
  model: Model,
  { media, marks }: Ports,
  request: ModelRequest,
  { stop, report }: { readonly stop: StopSignal; readonly report: ModelReporter | undefined },
): AsyncIterable<ModelChunk> {
  if (stop.aborted) return;
  let shown: ModelRequest;
  try {
    const showing = showMedia(request, media, marks);
    // D1 may hang, and an interrupted call has no time for it.
    await untilStopped(showing, stop);
    if (stop.aborted) return;
    shown = await showing;
  } catch {
    // Asked again like a lost connection: an answer without the picture would be a wrong one.
    yield { error: modelError("connection") };
    return;
  }
  try {
    yield* model.stream(shown, stop, report);
  } finally {
    // Of this call alone: a reply makes many, one after the other.
    marks.clear();
  }
}

/** Decides from the newest on what is shown, up to {@link MAX_CALL_MEDIA_BYTES}; the others become a note. */
async function showMedia(
  request: ModelRequest,
  media: MediaPort,
  marks: MediaMarks,
): Promise<ModelRequest> {
  const blocks = request.messages.flatMap(({ content }) => content.flatMap(dataIn));
  const urls = blocks.flatMap(({ source }) =>
    source.type === "url" && media.isFile(source.url) ? [source.url] : [],
  );
  const found =
    urls.length > 0 ? await media.find([...new Set(urls)]) : new Map<string, FoundMedia>();
  const shown = new Map<DataBlock, DataBlock | TextBlock>();
  let left = MAX_CALL_MEDIA_BYTES;
  for (const block of blocks.toReversed()) {
    const { source } = block;
    const isFile = source.type === "url" && media.isFile(source.url);
    const file = isFile ? found.get(source.url) : undefined;
    if (isFile && !file) {
      shown.set(block, noteInPlaceOf(block, "which is not there any more"));
      continue;
    }
    const bytes = file?.bytes ?? inlineBytes(source);
    if (bytes > left) {
      const reason = `left out: the media of one call may have ${MAX_CALL_MEDIA_BYTES / 1_000_000} MB, and newer ones came first`;
      shown.set(block, noteInPlaceOf(block, reason));
      continue;
    }
    left -= bytes;
    if (!file) continue;
    const data = markOf(file, marks);
    const media_type = typeOf(source, file);
    shown.set(block, { ...block, source: { type: "base64", media_type, data } });
  }
  return { ...request, messages: replaceData(request.messages, shown) };
}

/** Types of files that no signature is mistaken for: pictures and PDF. */
const CERTAIN = /^(?:image\/|application\/pdf$)/;
/** Has more names than signatures; a wire takes a sound by its name. */
const AUDIO = /^audio\//i;
/** The type that a client sends when it does not know. */
const VAGUE = /\/\*$|^application\/octet-stream$/;

/** The type by which an adapter chooses: the file's own where the block's is vague, or wrong for certain. */
function typeOf({ media_type: told }: DataBlock["source"], { media_type: found }: FoundMedia) {
  const isCertain = CERTAIN.test(found) || (AUDIO.test(told) && AUDIO.test(found));
  return VAGUE.test(told) || isCertain ? found : told;
}

function inlineBytes(source: DataBlock["source"]): number {
  if (source.type === "base64") return Math.floor((source.data.length * 3) / 4);
  return source.url.startsWith("data:") ? Math.floor((source.url.length * 3) / 4) : 0;
}
