// An address that cannot be listened on is a matter of configuration: it is told by the variables that name it.
import { ConfigError } from "../config/config.ts";

type ListenError = NodeJS.ErrnoException & { port?: number; hostname?: string };

/**
 * For `catch`: throws a ConfigError where an address cannot be listened on, and any other error as it is. `ports`: by
 * variable, what is listened on; all of it at `host`, but for the sandbox, which is at home on loopback.
 */
export function reportListenError(host: string, ports: Readonly<Record<string, number | null>>) {
  return (error: ListenError): never => {
    const { code, syscall, port, hostname } = error;
    if (syscall === "getaddrinfo" && hostname === host) throw new ConfigError([`HOST has no address (${code})`]);
    if (syscall !== "listen") throw error;
    const [name = "PORT"] = Object.entries(ports).find(([, number]) => number === port) ?? [];
    if (code === "EADDRINUSE") {
      throw new ConfigError([`${name}: port ${port} is taken by another program; set ${name} to a free one, or to 0`]);
    }
    throw new ConfigError([`${name === "SANDBOX_PORT" ? name : `HOST and ${name}`} cannot be listened on (${code})`]);
  };
}
