import { basename, dirname } from "node:path/posix";
import { describe, expect, it } from "vitest";
import { sourcesIn } from "./sources.ts";

const paths = sourcesIn("src").map(({ path }) => path);
const MAX_FILES_IN_A_FOLDER = 24;
/** One file for each type of the graph. */
const withoutFolderLimit = ["src/schema", "src/resolvers"];

describe("the files of src/", () => {
  it("have unique base names, apart from a type's pair in schema/ and resolvers/", () => {
    const folders = Map.groupBy(paths, (path) => basename(path));
    const repeated = [...folders.values()].filter((same) => same.length > 1 && !isPair(same));
    expect(repeated).toEqual([]);
  });

  it("stand in folders of at most 24 files", () => {
    const folders = Map.groupBy(paths, (path) => dirname(path));
    const large = [...folders]
      .filter(([folder, files]) => files.length > MAX_FILES_IN_A_FOLDER && !withoutFolderLimit.includes(folder))
      .map(([folder, files]) => `${folder}: ${files.length}`);
    expect(large).toEqual([]);
  });
});

function isPair(same: readonly string[]): boolean {
  return same.length === 2 && same.every((path) => withoutFolderLimit.includes(dirname(path)));
}
