// The names in which realtime providers that speak as OpenAI differ.

export interface RealtimeNames {
  /** Beginnings of the events of a response: `.delta` and `.done` follow. */
  readonly audio: string;
  readonly transcript: string;
  readonly text: string;
  readonly call: string;
  /** Whether `voice` and `turn_detection` are members of the session itself, and not of its audio. */
  readonly isFlat: boolean;
  /** Whether the provider can tell of turns without answering them. For one that cannot, they are found here. */
  readonly findsTurns: boolean;
  /** Whether it is shown pictures. */
  readonly seesPictures: boolean;
}

/** By the names of the Realtime API since it is generally available. */
export const OPENAI_NAMES: RealtimeNames = {
  audio: "response.output_audio",
  transcript: "response.output_audio_transcript",
  text: "response.output_text",
  call: "response.function_call_arguments",
  isFlat: false,
  findsTurns: true,
  seesPictures: true,
};

/** xAI has the names of the beta for texts and for the session. */
export const XAI_NAMES: RealtimeNames = {
  ...OPENAI_NAMES,
  text: "response.text",
  isFlat: true,
  findsTurns: false,
  seesPictures: false,
};
