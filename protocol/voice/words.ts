// Words of fields that the schemas of this room have.
export const VOICE_WORDS = {
  "Usage.audio": "Speech; left out where nothing was spoken.",
  "AudioUsage.input_ms": "Milliseconds of speech that were heard.",
  "AudioUsage.output_ms": "Milliseconds of speech that were said, also those that nobody played.",
  "CascadeVoice.transcription": "The model that writes down what the user says.",
  "CascadeVoice.speech": "The model that says the agent's text.",
  "RealtimeVoice.model": "The model of spoken replies; the agent's own gives the others.",
  "ServerTurns.type": "`server_vad`: silence ends a turn.",
  "ServerTurns.threshold": "How loud speech is, between 0 and 1; 0.5 when left out.",
  "ServerTurns.prefix_padding_ms":
    "Milliseconds before the detected start that belong to the turn; 300 when left out.",
  "ServerTurns.silence_duration_ms": "Milliseconds of silence that end a turn; 500 when left out.",
  "ManualTurns.type": "`manual`: the client ends a turn with `commit`.",
  "OpenAiTranscription.name": "The model's name at the provider.",
  "OpenAiTranscription.base_url":
    "Where the endpoint is, up to and without `/audio/transcriptions`; OpenAI's when left out.",
  "OpenAiTranscription.credential_id":
    "A credential of type `model`, sent as `Authorization: Bearer`.",
  "OpenAiTranscription.parameters": "Additional members of the request.",
  "OpenAiTranscription.parameters.language": "The language that is spoken, such as `en`.",
  "OpenAiTranscription.parameters.prompt": "Names and words that are likely to be said.",
  "OpenAiSpeech.name": "The model's name at the provider.",
  "OpenAiSpeech.base_url":
    "Where the endpoint is, up to and without `/audio/speech`; OpenAI's when left out.",
  "OpenAiSpeech.credential_id": "A credential of type `model`, sent as `Authorization: Bearer`.",
  "OpenAiSpeech.parameters": "Additional members of the request.",
  "OpenAiSpeech.parameters.instructions": "How the text is said.",
  "OpenAiSpeech.parameters.speed": "How fast it is said; 1 when left out.",
  "ScriptedRealtimeModel.name": "Which script; that of the refund desk when left out.",
  "ScriptedRealtimeModel.parameters": "Settings of the playback.",
  "ScriptedRealtimeModel.parameters.tokens_per_second":
    "Pace of the words; 0 is as fast as it can.",
} as const;
