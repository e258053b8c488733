// `npm run sbom`: prints the installed packages as CycloneDX 1.6; with `-- --omit=dev` those that the gateway needs at run time.
// Reads only the lock file, so it needs no network.
import { readFileSync } from "node:fs";

interface Locked {
  version?: string;
  integrity?: string;
  license?: string;
  dev?: boolean;
  optional?: boolean;
}

const lock = JSON.parse(readFileSync(new URL("../package-lock.json", import.meta.url), "utf8")) as {
  name: string;
  version: string;
  packages: Record<string, Locked>;
};

const omitsDev = process.argv.includes("--omit=dev");
const components = Object.entries(lock.packages)
  // The packages of this repository are not installed: they are in its folders.
  .filter(([path, { version }]) => path.includes("node_modules/") && version !== undefined)
  .filter(([, { dev }]) => !(omitsDev && dev))
  .map(([path, { version = "", integrity, license, dev, optional }]) => {
    const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    const [algorithm, digest] = integrity?.split("-", 2) ?? [];
    const content = Buffer.from(digest ?? "", "base64").toString("hex");
    const purl = `pkg:npm/${name.replace("@", "%40")}@${version}`;
    return {
      type: "library",
      "bom-ref": `${purl}#${path}`,
      name,
      version,
      purl,
      scope: dev || optional ? "optional" : "required",
      ...(algorithm === "sha512" ? { hashes: [{ alg: "SHA-512", content }] } : {}),
      ...(license === undefined ? {} : { licenses: [{ expression: license }] }),
    };
  });

const bom = {
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  version: 1,
  metadata: { component: { type: "application", "bom-ref": lock.name, name: lock.name, version: lock.version } },
  components,
};
process.stdout.write(`${JSON.stringify(bom, null, 2)}\n`);
