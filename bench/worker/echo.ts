// A provider of voice that sends back what it is sent.

export default {
  async fetch(): Promise<Response> {
    const { 0: client, 1: socket } = new WebSocketPair();
    socket.binaryType = "arraybuffer";
    socket.accept();
    socket.addEventListener("message", ({ data }) => socket.send(data));
    return new Response(null, { status: 101, webSocket: client });
  },
} satisfies ExportedHandler;
