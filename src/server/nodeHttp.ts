// node:http's server, without what importing it brings: an import of a module of Node's reads each of its exports, one of
// this one's is the browser's WebSocket, and for that Node loads all of its own fetch, some 15 MB.

export const { createServer } = process.getBuiltinModule("node:http");
