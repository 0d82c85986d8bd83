// Limits of sockets to realtime providers. Each with its unit and its reason.

export interface SocketLimits {
  /** Until the socket is open. */
  readonly openMs: number;
  /** From then on until the provider has taken the setup. */
  readonly readyMs: number;
  /** From speech that was heard here until the provider has said anything; then it is asked whether it is there. */
  readonly unheardMs: number;
  /** Without a frame while a response is under way. */
  readonly silenceMs: number;
  /** Without a frame of the response itself: others show that the connection lives, and nothing more. */
  readonly progressMs: number;
  /** From a cancel until the response has ended; then it counts as ended. */
  readonly cancelMs: number;
  /** Of one message. */
  readonly messageBytes: number;
  /** Received beyond what {@link bytesPerSecond} allows. */
  readonly burstBytes: number;
  readonly bytesPerSecond: number;
  /** Received beyond what {@link framesPerSecond} allows. */
  readonly burstFrames: number;
  readonly framesPerSecond: number;
}

export const SOCKET_LIMITS: SocketLimits = {
  /** Handshakes take less than a second; a person waits. The engine gives up after 20 seconds. */
  openMs: 10_000,
  /** Providers answer a setup in some hundred milliseconds. */
  readyMs: 8_000,
  /** Providers tell of speech within half a second; to be asked costs them nothing. */
  unheardMs: 5_000,
  /** A model that thinks begins to speak within seconds; the engine takes a response for ended after a minute. */
  silenceMs: 45_000,
  /** Twice the silence: a provider may tell of other things meanwhile. */
  progressMs: 90_000,
  /** Providers end what is cancelled at once; some say nothing. */
  cancelMs: 5_000,
  /** Ten seconds of audio in base64 are 640 kB, and a frame has a second; a history that is repeated has the rest. */
  messageBytes: 4_000_000,
  /** Five minutes of audio at once. Nobody is sent more that was not played. */
  burstBytes: 24_000_000,
  /** Thirty times the speed of speech. */
  bytesPerSecond: 2_000_000,
  /** The frames of a minute's transcript and audio, at once. */
  burstFrames: 5_000,
  framesPerSecond: 1_000,
};
