// Audio and pictures that a model makes, in the deltas of chat completions.
import type { DataDelta } from "../../agent/ports.ts";
import { readBase64 } from "../../protocol/read-base64.ts";
import { fieldsIn, type JsonFields } from "../stream/json-fields.ts";
import { asBase64, asFields, asText } from "../stream/stream-event.ts";

/** Streamed audio has this form alone: 16 bits, 24 kHz, without a header. */
const STREAMED_AUDIO = "audio/pcm";
/** The block of the audio; those of pictures follow. */
const AUDIO_INDEX = 0;
const PICTURE = /^data:(image\/[a-z0-9.+-]{1,32});base64,/i;

export interface StreamedMedia {
  readonly data: readonly DataDelta[];
  /** The words of the audio. */
  readonly transcript: string;
}

/**
 * `audio` (OpenAI) and `images` (OpenRouter).
 * @param pictures How many pictures the answer has had so far.
 */
export function readMadeMedia(delta: JsonFields, pictures: number): StreamedMedia {
  const audio = asFields(delta["audio"]);
  const sound = asBase64(audio?.["data"]);
  const data: DataDelta[] =
    sound === "" ? [] : [{ index: AUDIO_INDEX, media_type: STREAMED_AUDIO, data: sound }];
  for (const image of fieldsIn(delta["images"])) {
    const url = asText(asFields(image["image_url"])?.["url"]);
    const [head = "", media_type = ""] = PICTURE.exec(url) ?? [];
    const picture = head === "" ? "" : (readBase64(url.slice(head.length)) ?? "");
    const index = AUDIO_INDEX + 1 + pictures + data.length;
    if (picture !== "") data.push({ index, media_type: media_type.toLowerCase(), data: picture });
  }
  return { data, transcript: asText(audio?.["transcript"]) };
}
