export { createAppServer } from './app-server.js';
