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
  "OpenAiSpeech.parameters.voice": "The voice's name; the agent's `voice` when left out.",
  "ScriptedRealtimeModel.name": "Which script; that of the refund desk when left out.",
  "ScriptedRealtimeModel.parameters": "Settings of the playback.",
  "ScriptedRealtimeModel.parameters.tokens_per_second":
    "Pace of the words; 0 is as fast as it can.",
  "OpenAiRealtimeModel.name": "The model's name at the provider.",
  "OpenAiRealtimeModel.base_url":
    "Where the endpoint is, up to and without `/realtime`; OpenAI's when left out.",
  "OpenAiRealtimeModel.credential_id":
    "A credential of type `model`, sent as `Authorization: Bearer`.",
  "OpenAiRealtimeModel.parameters": "Settings of the provider's session.",
  "OpenAiRealtimeModel.parameters.transcription":
    "The model that writes down what the user says; nothing does when left out.",
  "RealtimeTranscription.model": "Its name at the provider.",
  "RealtimeTranscription.language": "The language that is spoken, such as `en`.",
  "RealtimeTranscription.prompt": "Names and words that are likely to be said.",
  "OpenAiRealtimeModel.parameters.speed": "How fast it speaks; 1 when left out.",
  "OpenAiRealtimeModel.parameters.noise_reduction":
    "What is taken out of the user's audio: `near_field` for headsets, `far_field` for rooms; nothing when left out.",
  "OpenAiRealtimeModel.parameters.reasoning_effort":
    "How much a reasoning model thinks, such as `low`.",
  "OpenAiRealtimeModel.parameters.max_output_tokens": "Tokens of one response at most.",
  "XaiRealtimeModel.name": "The model's name at the provider.",
  "XaiRealtimeModel.base_url":
    "Where the endpoint is, up to and without `/realtime`; xAI's when left out.",
  "XaiRealtimeModel.credential_id":
    "A credential of type `model`, sent as `Authorization: Bearer`.",
  "XaiRealtimeModel.parameters": "Settings of the provider's session.",
  "XaiRealtimeModel.parameters.transcription":
    "The model that writes down what the user says; the provider's choice when left out.",
  "XaiRealtimeModel.parameters.speed": "How fast it speaks; 1 when left out.",
  "XaiRealtimeModel.parameters.noise_reduction":
    "What is taken out of the user's audio: `near_field` for headsets, `far_field` for rooms; nothing when left out.",
  "XaiRealtimeModel.parameters.reasoning_effort":
    "How much a reasoning model thinks, such as `low`.",
  "XaiRealtimeModel.parameters.max_output_tokens": "Tokens of one response at most.",
  "DashScopeRealtimeModel.name": "The model's name at the provider.",
  "DashScopeRealtimeModel.base_url":
    "Where the endpoint is, up to and without `/realtime`, such as that of your workspace; the international one when left out.",
  "DashScopeRealtimeModel.credential_id":
    "A credential of type `model`, sent as `Authorization: Bearer`.",
  "DashScopeRealtimeModel.parameters": "Settings of the provider's session.",
  "DashScopeRealtimeModel.parameters.transcription":
    "The model that writes down what the user says; the provider's choice when left out, none with null.",
  "DashScopeTranscription.model": "Its name at the provider.",
  "DashScopeRealtimeModel.parameters.temperature": "How much it varies its words.",
  "DashScopeRealtimeModel.parameters.top_p": "The share of likely words that it chooses from.",
  "DashScopeRealtimeModel.parameters.top_k": "The number of likely words that it chooses from.",
  "DashScopeRealtimeModel.parameters.max_tokens": "Tokens of one response at most.",
  "DashScopeRealtimeModel.parameters.seed":
    "A number with which answers repeat themselves, as far as they can.",
  "DashScopeRealtimeModel.parameters.smooth_output":
    "Whether it answers as people talk, rather than as they write; the model's choice when left out.",
  "GeminiRealtimeModel.name": "The model's name at the provider, without `models/`.",
  "GeminiRealtimeModel.base_url":
    "Where the endpoint is, without its path; Google's when left out.",
  "GeminiRealtimeModel.credential_id":
    "A credential of type `model`: Google takes it in the address of the socket alone.",
  "GeminiRealtimeModel.parameters": "Settings of the provider's session.",
  "GeminiRealtimeModel.parameters.language": "The language that it speaks, such as `en-US`.",
  "GeminiRealtimeModel.parameters.temperature": "How much it varies its words.",
  "GeminiRealtimeModel.parameters.top_p": "The share of likely words that it chooses from.",
  "GeminiRealtimeModel.parameters.top_k": "The number of likely words that it chooses from.",
  "GeminiRealtimeModel.parameters.max_output_tokens": "Tokens of one response at most.",
} as const;
