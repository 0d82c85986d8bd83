// Keep-alive connections of the load clients, as in a browser.
import { Agent } from "node:http";

/** Milliseconds after which the runtime closes an idle connection, which may collide with a new request. */
const CLOSED_BY_SERVER_MS = 5_000;

export const CONNECTIONS = new Agent({ keepAlive: true, timeout: CLOSED_BY_SERVER_MS / 2 });
