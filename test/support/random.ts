export { Random } from '../../libs/deployments/src/killing/random.js';
