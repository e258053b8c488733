// How the peers ask the service: undici's dispatch, the fastest way it has, on a pool as large as the gateway's.
import { Pool } from "undici";

export interface Service {
  /** The JSON at this path. */
  read(path: string): Promise<unknown>;
}

const headers = { accept: "application/json" };

export function createService(url: string): Service {
  const pool = new Pool(url, { connections: 256 });
  return {
    read: (path) =>
      new Promise((resolve, reject) => {
        const chunks: Buffer[] = [];
        let status = 0;
        pool.dispatch(
          { path, method: "GET", headers },
          {
            onRequestStart() {},
            onResponseStart: (_controller, code) => void (status = code),
            onResponseData: (_controller, chunk) => void chunks.push(chunk),
            onResponseEnd() {
              if (status !== 200) return reject(new Error(`the service answered ${status}`));
              const [only] = chunks;
              resolve(JSON.parse((chunks.length === 1 && only ? only : Buffer.concat(chunks)).toString()));
            },
            onResponseError: (_controller, error) => reject(error),
          },
        );
      }),
  };
}
