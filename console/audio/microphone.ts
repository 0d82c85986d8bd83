// The person's microphone as frames of PCM16.
import type { CapturedFrame, CaptureOptions } from "./capture-worklet.ts";
// The bundler makes a script of the file, and its address the default export.
// oxlint-disable-next-line import/default
import captureUrl from "./capture-worklet.ts?worker&url";

/** Milliseconds of a frame: fewer messages cost less, and each waits for its end. */
const FRAME_MS = 80;
/** Milliseconds of silence that are sent of a muted microphone, so that a turn under way is heard to end. */
const MUTED_TAIL_MS = 3_000;

export interface MicrophoneOptions {
  /** Of {@link openSound}; its owner closes it. */
  readonly context: AudioContext;
  /** Hz. */
  readonly rate: number;
  readonly onFrame: (frame: CapturedFrame) => void;
  /** The device is gone, as a headset that was pulled out. */
  readonly onEnd: () => void;
}

export interface Microphone {
  setMuted(isMuted: boolean): void;
  /** Gives the device back. */
  close(): void;
}

/** @throws the browser's `DOMException` when there is no microphone, or the person allows none; an error on a page that is not secure. */
export async function openMicrophone(options: MicrophoneOptions): Promise<Microphone> {
  const { context, rate, onFrame, onEnd } = options;
  if (!("mediaDevices" in navigator)) {
    throw new Error("browsers give it to pages of https:// and of this machine alone");
  }
  const stream = await navigator.mediaDevices.getUserMedia({
    audio: { channelCount: 1, echoCancellation: true, noiseSuppression: true },
  });
  const close = () => {
    for (const track of stream.getTracks()) track.stop();
  };
  let mutedMs: number | null = null;
  try {
    await context.audioWorklet.addModule(captureUrl);
    const processorOptions: CaptureOptions = { rate, frameMs: FRAME_MS };
    const capture = new AudioWorkletNode(context, "capture", {
      numberOfOutputs: 0,
      channelCount: 1,
      channelCountMode: "explicit",
      processorOptions,
    });
    capture.port.addEventListener("message", ({ data }: MessageEvent<CapturedFrame>) => {
      if (mutedMs !== null && (mutedMs += FRAME_MS) > MUTED_TAIL_MS) return;
      onFrame(data);
    });
    capture.port.start();
    context.createMediaStreamSource(stream).connect(capture);
  } catch (error) {
    close();
    throw error;
  }
  const [track] = stream.getAudioTracks();
  track?.addEventListener("ended", onEnd);
  return {
    setMuted(isMuted) {
      mutedMs = isMuted ? 0 : null;
      // A track that is switched off gives silence.
      if (track) track.enabled = !isMuted;
    },
    close,
  };
}
