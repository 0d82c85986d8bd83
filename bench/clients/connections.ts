// The load clients' connections, which are used again as a browser's are.
import { Agent } from "node:http";

/** Milliseconds after which the runtime closes a connection that nobody uses; a request may meet that on its way. */
const CLOSED_BY_SERVER_MS = 5_000;

export const CONNECTIONS = new Agent({ keepAlive: true, timeout: CLOSED_BY_SERVER_MS / 2 });
