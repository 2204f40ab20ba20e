"""The Kyushu paper reproduced: which instances fail, and does retraining help?"""
