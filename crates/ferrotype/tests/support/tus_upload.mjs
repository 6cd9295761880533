// Uploads a file with tus-js-client: node tus_upload.mjs <module> <endpoint> <token> <file>
// Prints "kept <bytes>" whenever the server has confirmed bytes, and "image <id>" at the end.
import { createReadStream, statSync } from 'node:fs';

const [module, endpoint, token, path] = process.argv.slice(2);
const tus = await import(module);
let image;
const upload = new tus.Upload(createReadStream(path), {
  endpoint,
  uploadSize: statSync(path).size,
  chunkSize: 1 << 20,
  headers: { authorization: `Bearer ${token}` },
  metadata: { filename: 'large.bmp', title: 'Large' },
  retryDelays: [100, 200, 400, 800, 1600, 3200, 6400, 6400],
  onChunkComplete: (_size, kept) => console.log(`kept ${kept}`),
  onAfterResponse: (_request, response) => {
    image = response.getHeader('upload-image') ?? image;
  },
  onSuccess: () => console.log(`image ${image}`),
  onError: (error) => {
    console.error(error);
    process.exit(1);
  },
});
upload.start();
