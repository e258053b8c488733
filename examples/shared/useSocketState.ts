import type { Client } from "graphql-ws";
import { useEffect, useState } from "react";

/** Whether live events come in now. While they do not, nothing is lost: the recipes go on behind the last event. */
export function useSocketState(socket: Client): "connecting" | "live" {
  const [isLive, setLive] = useState(false);
  useEffect(() => {
    const ends = [socket.on("connected", () => setLive(true)), socket.on("closed", () => setLive(false))];
    return () => ends.forEach((end) => end());
  }, [socket]);
  return isLive ? "live" : "connecting";
}
