// Bundles the extension into dist/, with the licences of what is in the bundle, and takes the interleaving view from where
// the HTML report has it.
import esbuild from 'esbuild';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const view = path.join(here, '../../client/view');
const old = fs.existsSync(path.join(here, 'dist')) ? fs.readdirSync(path.join(here, 'dist')) : [];
for (const name of old.filter((entry) => !entry.endsWith('.vsix')))
  fs.rmSync(path.join(here, 'dist', name), { recursive: true, force: true });
fs.mkdirSync(path.join(here, 'dist/view'), { recursive: true });
const { metafile } = await esbuild.build({
  absWorkingDir: here,
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.js',
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node18',
  external: ['vscode'],
  minify: true,
  sourcemap: false,
  legalComments: 'none',
  metafile: true,
});
for (const name of ['interleaving_model.js', 'interleaving_parts.js', 'interleaving_view.js', 'interleaving.css']) {
  fs.copyFileSync(path.join(view, name), path.join(here, 'dist/view', name));
}

/** The folder of the package that a bundled file is from; nothing for a file of our own. */
function packageOf(file) {
  const inside = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file);
  return inside?.[1];
}

const packages = [...new Set(Object.keys(metafile.inputs).map(packageOf).filter(Boolean))].sort();
const notices = packages.map((folder) => {
  const about = JSON.parse(fs.readFileSync(path.join(here, folder, 'package.json'), 'utf8'));
  const licence = fs.readdirSync(path.join(here, folder)).find((name) => /^licen[cs]e/i.test(name));
  if (!licence) throw new Error(`${folder} has no licence file: it cannot be in the bundle`);
  return `${about.name} ${about.version} (${about.license})\n\n${fs.readFileSync(path.join(here, folder, licence), 'utf8').trim()}\n`;
});
fs.writeFileSync(path.join(here, 'dist/NOTICES.txt'), notices.join(`\n${'-'.repeat(80)}\n\n`));
fs.copyFileSync(path.join(here, '../../LICENSE'), path.join(here, 'dist/LICENSE'));
