// Bundles the extension into dist/, and takes the interleaving view from where the HTML report has it.
import esbuild from 'esbuild';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const view = path.join(here, '../../client/view');
fs.rmSync(path.join(here, 'dist'), { recursive: true, force: true });
fs.mkdirSync(path.join(here, 'dist/view'), { recursive: true });
await esbuild.build({
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
});
for (const name of ['interleaving_model.js', 'interleaving_view.js', 'interleaving.css']) {
  fs.copyFileSync(path.join(view, name), path.join(here, 'dist/view', name));
}
