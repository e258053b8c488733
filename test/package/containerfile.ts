// Carries out a Containerfile without a container engine: each stage in a folder of its own.
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, lchownSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

export interface Image {
  /** The folder that stands for the image's root. */
  root: string;
  /** The same for each earlier stage, by name. */
  stages: Map<string, string>;
  env: Record<string, string>;
  entrypoint: readonly string[];
  command: readonly string[];
  healthCheck: readonly string[];
  workdir: string;
}

export interface BuildOptions {
  /** Files for `COPY` from outside. */
  context: string;
  /** Steps that are done differently here, by their command. `folder`: where they run. */
  replaced: Readonly<Record<string, (folder: string) => void>>;
  /** Fills the root of a stage that begins with an image, by the image's name and tag. Roots of other images are empty. */
  bases: Readonly<Record<string, (root: string) => void>>;
}

/** Knows the instructions FROM, WORKDIR, COPY, RUN, ENV, HEALTHCHECK, ENTRYPOINT and CMD. */
export function buildImage(file: string, { context, replaced, bases }: BuildOptions): Image {
  const stages = new Map<string, string>();
  const image: Image = { root: "", stages, env: {}, entrypoint: [], command: [], healthCheck: [], workdir: "/" };
  const inside = (path: string) => join(image.root, path.startsWith("/") ? path : join(image.workdir, path));

  for (const [, instruction = "", rest = ""] of readFileSync(file, "utf8").matchAll(/^([A-Z]+) (.*)$/gm)) {
    switch (instruction) {
      case "FROM":
        image.root = mkdtempSync(join(tmpdir(), "switchboard-image-"));
        stages.set(/ AS (\w+)$/.exec(rest)?.[1] ?? "", image.root);
        image.workdir = "/";
        chmodSync(image.root, 0o755);
        bases[rest.split(/[ @]/, 1)[0] ?? ""]?.(image.root);
        break;
      case "WORKDIR":
        image.workdir = rest;
        mkdirSync(inside("."), { recursive: true });
        break;
      case "COPY":
        copy(rest);
        break;
      case "RUN":
        run(rest);
        break;
      case "ENV":
        for (const pair of rest.split(" ")) image.env[pair.split("=")[0] ?? ""] = pair.slice(pair.indexOf("=") + 1);
        break;
      case "HEALTHCHECK":
        image.healthCheck = JSON.parse(rest.slice(rest.indexOf("["))) as string[];
        break;
      case "ENTRYPOINT":
        image.entrypoint = JSON.parse(rest) as string[];
        break;
      case "CMD":
        image.command = JSON.parse(rest) as string[];
        break;
      case "VOLUME":
      case "EXPOSE":
        break;
      default:
        throw new Error(`The Containerfile has an instruction that is not known here: ${instruction}`);
    }
  }
  return image;

  function copy(rest: string): void {
    const words = rest.split(" ").filter((word) => !word.startsWith("--"));
    const stage = /--from=(\w+)/.exec(rest)?.[1];
    const owner = /--chown=(\d+):(\d+)/.exec(rest);
    const to = inside(words.pop() ?? "");
    for (const from of words) {
      const source = join(stage === undefined ? context : (stages.get(stage) ?? ""), from);
      const target = words.length > 1 ? join(to, basename(from)) : to;
      mkdirSync(dirname(target), { recursive: true });
      cpSync(source, target, { recursive: true, verbatimSymlinks: true });
      if (owner && process.getuid?.() === 0) lchownSync(target, Number(owner[1]), Number(owner[2]));
    }
  }
  function run(command: string): void {
    const folder = inside(".");
    const own = replaced[command];
    if (own) own(folder);
    else execFileSync("sh", ["-c", command], { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  }
}
